/** The budget dialog as it is filled in: one domain per line, with the limits for all or with its own. */
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

/** Value of a number field; an empty field is null. */
export function numberOf(value: string | number): number | null {
  return value === '' || Number.isNaN(Number(value)) ? null : Number(value)
}
