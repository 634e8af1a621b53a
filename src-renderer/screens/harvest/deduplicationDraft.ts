/** Deduplication as it is typed. */
import { usualDeduplication, type Deduplication } from '../../../src-main/contract/shapes/deduplication.ts'

/** The lists as text, separated by commas. */
export interface DeduplicationDraft {
  match: Deduplication['match']
  /** Empty: the jobs that the harvest continues. */
  jobs: string
  excludedTypes: string
}

/** Defaults of the contract. */
export const usualDeduplicationDraft: DeduplicationDraft = deduplicationDraftOf(usualDeduplication)

/** Undefined when everything has its default. `off` needs no lists, and the form hides them: what is typed there is left out. */
export function deduplicationInput({ match, jobs, excludedTypes }: DeduplicationDraft): object | undefined {
  if (match === 'off') return { match }
  const usual = usualDeduplicationDraft
  if (match === usual.match && jobs === usual.jobs && excludedTypes === usual.excludedTypes) return undefined
  const numbers = partsOf(jobs).map((part) => (/^\d+$/.test(part) ? Number(part) : part))
  return { match, excludedTypes: partsOf(excludedTypes), ...(numbers.length === 0 ? {} : { jobs: numbers }) }
}

export function deduplicationDraftOf(deduplication: Deduplication | undefined): DeduplicationDraft {
  const { match, jobs = [], excludedTypes } = deduplication ?? usualDeduplication
  return { match, jobs: jobs.join(', '), excludedTypes: excludedTypes.join(', ') }
}

function partsOf(text: string): string[] {
  return text.split(/[\s,]+/).filter((part) => part !== '')
}
