/** Missing resources and errors of a view as CSV, as input for further harvests. */
import type { Miss, ViewError } from '../../../src-main/contract/services/viewer.ts'
import { csvOf } from '../../parts/csv.ts'
import type { Translate } from '../../words/language.ts'

const columns = [
  'url',
  'referrer',
  'initiator',
  'resourceType',
  'method',
  'times',
  'first',
  'last',
  'why',
  'viewing',
] as const

export function missesCsv(rows: readonly Miss[], t: Translate): string {
  return csvOf(
    columns,
    rows.map((row) => columns.map((column) => (column === 'why' ? t(row.why) : row[column]))),
  )
}

export function errorsCsv(rows: readonly ViewError[], t: Translate): string {
  const all = [...columns, 'kind', 'status', 'file', 'offset'] as const
  return csvOf(
    all,
    rows.map((row) => all.map((column) => (column === 'why' ? t(row.why) : row[column]))),
  )
}
