/** Copies whose checksum was compared too long ago, by a check or when they were stored. */
import { Text } from '@mantine/core'
import { useMemo } from 'react'
import type { AgingCopy } from '../../../src-main/contract/services/checks.ts'
import type { ArchiveStatus } from '../../../src-main/contract/services/archiveStatus.ts'
import { timeUtc, useFormats } from '../../parts/formats.ts'
import { Section } from '../../parts/Section.tsx'
import { Table } from '../../parts/Table.tsx'
import type { Column } from '../../parts/TableFrame.tsx'
import { ToneBadge } from '../../parts/tone.tsx'
import { useWords } from '../../words/words.tsx'
import { fileColumn, jobColumn, replicaColumn } from '../copies/columns.tsx'

export function Aging({ status }: { status: ArchiveStatus }) {
  const t = useWords()
  const columns = useAgingColumns(status.at)
  const { aging, replicas, overdueDays } = status
  const total = replicas.reduce((sum, row) => sum + row.overdue, 0)
  if (total === 0) return null
  return (
    <Section title={t('aging.title')}>
      <Text size="sm" mb="xs">
        {t('aging.text', { days: overdueDays })} {aging.length < total && t('aging.more')}
      </Text>
      <Table
        label={t('aging.title')}
        rows={aging}
        columns={columns}
        rowKey={({ replica, name }) => `${replica}/${name}`}
        empty={null}
        heightMax={300}
      />
    </Section>
  )
}

/** `at` is the time of the engine, which decides what is overdue. */
function useAgingColumns(at: string): Column<AgingCopy>[] {
  const t = useWords()
  const { ago } = useFormats()
  return useMemo(() => {
    const age = (time: string | null) =>
      time === null ? t('archive.never') : <span title={`${timeUtc(time)} UTC`}>{ago(time, new Date(at))}</span>
    return [
      {
        id: 'finding',
        head: t('aging.state'),
        value: ({ finding }) => t(`aging.finding.${finding}`),
        cell: ({ finding }) => <ToneBadge tone="attention" text={t(`aging.finding.${finding}`)} />,
        width: 150,
      },
      replicaColumn(t),
      fileColumn(t),
      {
        id: 'verified',
        head: t('aging.verified'),
        value: ({ verified }) => verified,
        cell: ({ verified }) => age(verified),
        width: 190,
      },
      {
        id: 'stored',
        head: t('aging.stored'),
        value: ({ stored }) => stored,
        cell: ({ stored }) => age(stored),
        width: 130,
      },
      jobColumn(t),
    ]
  }, [t, ago, at])
}
