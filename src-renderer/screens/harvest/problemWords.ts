/** A problem of the schema in the words of the interface. */
import type { z } from 'zod'
import { problemOf } from '../../../src-main/contract/calls/refusedValue.ts'
import type { Translate } from '../../words/words.tsx'
import { controlOf } from './harvestControls.ts'
import { inOrder, type Problem, type Problems } from './harvestDraft.ts'

/** The error of a control by its name: to be spread into it. */
export type ErrorOf = (control: string) => { error?: string }

export function errorsOf(t: Translate, problems: Problems): ErrorOf {
  const words = new Map(inOrder(problems).map((each) => [controlOf(each.path), problemWords(t, each)]))
  return (control) => {
    const error = words.get(control)
    return error === undefined ? {} : { error }
  }
}

export function problemWords(t: Translate, { issue, line }: Problem): string {
  const text = issueWords(t, issue)
  return line === null ? text : t('form.line', { line, text })
}

function issueWords(t: Translate, issue: Problem['issue']): string {
  switch (issue.code) {
    case 'engine':
      return issue.message
    case 'too_small':
      if (issue.origin === 'array') return t('form.needed')
      return issue.origin === 'string' ? t('form.empty') : t('form.tooSmall', { minimum: Number(issue.minimum) })
    case 'too_big':
      return t(issue.origin === 'string' ? 'form.tooLong' : 'form.tooBig', { maximum: Number(issue.maximum) })
    case 'invalid_type':
      return t(issue.expected === 'int' || issue.expected === 'number' ? 'form.notNumber' : 'form.wrong')
    case 'custom':
      // The combination of two fields is invalid; each of them alone is valid.
      if (issue.path.at(-1) === 'intervalSecondsMax') return t('recheck.intervalSecondsMax.short')
      // For a pattern the contract gives the reason.
      return String(issue.path[0]).startsWith('throttle') && issue.path.at(-1) !== 'match'
        ? t('throttle.none')
        : reasonOf(t, issue)
    default:
      return reasonOf(t, issue)
  }
}

function reasonOf(t: Translate, issue: z.core.$ZodIssue): string {
  return t(problemOf(issue, t('form.this')))
}
