/** Columns for the used part of a budget, as several tables show it: `12 of 500`, or `12` without a limit. */
import type { BudgetUse } from '../../../src-main/contract/services/live.ts'
import type { Formats } from '../../parts/formats.ts'
import type { Column } from '../../parts/TableFrame.tsx'
import type { Translate } from '../../words/words.tsx'

type Used = Pick<BudgetUse, 'domain' | 'objects' | 'objectsMax' | 'bytes' | 'bytesMax'>

export function usedColumns<Row extends Used>(
  { t, formats }: { t: Translate; formats: Formats },
  width: { objects: number; bytes: number },
): Column<Row>[] {
  const used = (amount: number, most: number | null, shown: (value: number) => string) =>
    most === null ? shown(amount) : t('queue.budget.of', { used: shown(amount), most: shown(most) })
  return [
    { id: 'domain', head: t('queue.domain'), value: ({ domain }) => domain },
    {
      id: 'objects',
      head: t('queue.budget.objects'),
      value: ({ objects }) => objects,
      cell: ({ objects, objectsMax }) => used(objects, objectsMax, formats.count),
      numeric: true,
      width: width.objects,
    },
    {
      id: 'bytes',
      head: t('queue.budget.bytes'),
      value: ({ bytes }) => bytes,
      cell: ({ bytes, bytesMax }) => used(bytes, bytesMax, formats.bytes),
      numeric: true,
      width: width.bytes,
    },
  ]
}
