/** The dialog of budgets as it is filled in: a domain per line with the limits of all, or with limits of its own. */
import { budgetsFrom } from '../../../src-main/contract/services/budgetLines.ts'
import { Fault } from '../../../src-main/contract/calls/faults.ts'
import type { Budget } from '../../../src-main/contract/services/live.ts'
import { faultText } from '../../words/language.ts'

export function budgetsOf(
  text: string,
  { objects, bytes }: Pick<Budget, 'objects' | 'bytes'>,
): { budgets: Budget[] } | { wrong: string } {
  const all = `${objects ?? '-'} ${bytes ?? '-'}`
  const lines = text.split(/\r?\n/).map((line) => (/^\s*[^\s,;]+\s*$/.test(line) ? `${line.trim()} ${all}` : line))
  try {
    return { budgets: budgetsFrom(lines.join('\n')) }
  } catch (error) {
    if (error instanceof Fault) return { wrong: faultText(error) }
    throw error
  }
}

/** Value for a number field: empty text for none. */
export function numberOf(value: string | number): number | null {
  return value === '' || Number.isNaN(Number(value)) ? null : Number(value)
}
