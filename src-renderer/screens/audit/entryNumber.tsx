/** The column with the number of an entry, which opens its details. */
import { Button } from '@mantine/core'
import { ListTree } from 'lucide-react'
import type { AuditEntry } from '../../../src-main/contract/services/audit.ts'
import type { Column } from '../../parts/TableFrame.tsx'
import type { Language } from './entryWords.ts'

export function entryNumberColumn({ t, formats }: Language, onShow: (entry: AuditEntry) => void): Column<AuditEntry> {
  return {
    id: 'number',
    head: t('audit.number'),
    value: ({ number }) => number,
    cell: (entry) => (
      <Button
        variant="subtle"
        size="compact-xs"
        leftSection={<ListTree size={14} aria-hidden />}
        aria-label={t('audit.details.of', { number: entry.number })}
        onClick={() => onShow(entry)}
      >
        {formats.count(entry.number)}
      </Button>
    ),
    width: 96,
    stays: true,
  }
}
