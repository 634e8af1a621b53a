/** Copies that nobody has looked at since they were stored, and those whose checksum was compared too long ago: findings of
 *  their own, since what was never looked at is not fine. */
import { SegmentedControl, Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import type { AgingCopy, ArchiveStatus } from '../../../src-main/contract/archive.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { timeUtc, useFormats } from '../../parts/formats.ts'
import { Section } from '../../parts/Section.tsx'
import { Table } from '../../parts/Table.tsx'
import type { Column } from '../../parts/TableFrame.tsx'
import { ToneBadge } from '../../parts/tone.tsx'
import { useWords } from '../../words/words.tsx'
import { fileColumn, jobColumn, replicaColumn } from './columns.tsx'

const choices = ['all', 'neverChecked', 'overdue'] as const
type Choice = (typeof choices)[number]

export function Aging({ status }: { status: ArchiveStatus }) {
  const say = useWords()
  const [choice, setChoice] = useState<Choice>('all')
  const columns = useAgingColumns(status.at)
  const { aging, replicas, overdueDays } = status
  const rows = useMemo(() => aging.filter(({ finding }) => choice === 'all' || finding === choice), [aging, choice])
  const sums = {
    neverChecked: replicas.reduce((sum, row) => sum + row.neverChecked, 0),
    overdue: replicas.reduce((sum, row) => sum + row.overdue, 0),
  }
  const total = sums.neverChecked + sums.overdue
  if (total === 0) return null
  const counts = { ...sums, all: total }
  return (
    <Section
      title={say('aging.title')}
      actions={
        <SegmentedControl
          size="xs"
          aria-label={say('aging.which')}
          value={choice}
          data={choices.map((name) => ({ value: name, label: say(`aging.${name}`, { count: counts[name] }) }))}
          onChange={(value) => setChoice(choices.find((name) => name === value) ?? 'all')}
        />
      }
    >
      <Text size="sm" mb="xs">
        {say('aging.text', { days: overdueDays })} {aging.length < total && say('aging.more')}
      </Text>
      <Table
        label={say('aging.title')}
        rows={rows}
        columns={columns}
        rowKey={({ replica, name }) => `${replica}/${name}`}
        empty={<EmptyState title={say('aging.none')} text={say('aging.none.text')} />}
        heightMax={300}
      />
    </Section>
  )
}

/** `at`: by the engine's clock, which is the one that finds what is overdue. */
function useAgingColumns(at: string): Column<AgingCopy>[] {
  const say = useWords()
  const { ago } = useFormats()
  return useMemo(() => {
    const age = (time: string | null) =>
      time === null ? say('archive.never') : <span title={`${timeUtc(time)} UTC`}>{ago(time, new Date(at))}</span>
    return [
      {
        id: 'finding',
        head: say('aging.state'),
        value: ({ finding }) => say(`aging.finding.${finding}`),
        cell: ({ finding }) => <ToneBadge tone="attention" text={say(`aging.finding.${finding}`)} />,
        width: 150,
      },
      replicaColumn(say),
      fileColumn(say),
      {
        id: 'verified',
        head: say('aging.verified'),
        value: ({ verified }) => verified,
        cell: ({ verified }) => age(verified),
        width: 190,
      },
      {
        id: 'stored',
        head: say('aging.stored'),
        value: ({ stored }) => stored,
        cell: ({ stored }) => age(stored),
        width: 130,
      },
      jobColumn(say),
    ]
  }, [say, ago, at])
}
