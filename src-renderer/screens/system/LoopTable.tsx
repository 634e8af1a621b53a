/** The loops of the engine, with the last pass of each. */
import { Text } from '@mantine/core'
import { useMemo } from 'react'
import type { LoopState } from '../../../src-main/contract/services/monitoring.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { timeUtc, useFormats } from '../../parts/formats.ts'
import { Section } from '../../parts/Section.tsx'
import { Table } from '../../parts/Table.tsx'
import type { Column } from '../../parts/TableFrame.tsx'
import { ToneBadge } from '../../parts/tone.tsx'
import { useWords } from '../../words/words.tsx'

export function LoopTable({ loops }: { loops: readonly LoopState[] }) {
  const t = useWords()
  return (
    <Section title={t('system.loops')}>
      <Text size="sm" c="dimmed" mb="xs">
        {t('system.loops.text')}
      </Text>
      <Table
        label={t('system.loops')}
        rows={loops}
        columns={useColumns()}
        rowKey={({ name }) => name}
        heightMax={420}
        empty={<EmptyState title={t('system.loops.none')} text={t('system.loops.none.text')} />}
      />
    </Section>
  )
}

function stateOf({ isRunning, problem }: LoopState): 'running' | 'waiting' | 'failed' {
  if (isRunning) return 'running'
  return problem === null ? 'waiting' : 'failed'
}

function useColumns(): Column<LoopState>[] {
  const t = useWords()
  const { count, duration } = useFormats()
  return useMemo(
    (): Column<LoopState>[] => [
      { id: 'name', head: t('system.loop'), value: ({ name }) => name, width: 200 },
      {
        ...{ id: 'state', head: t('system.state'), width: 130 },
        value: (loop) => t(`system.state.${stateOf(loop)}`),
        cell: (loop) => <ToneBadge tone={stateOf(loop)} text={t(`system.state.${stateOf(loop)}`)} />,
      },
      {
        ...{ id: 'began', head: t('system.began'), width: 180 },
        value: ({ began }) => began,
        cell: ({ began }) => (began === null ? '–' : timeUtc(began)),
      },
      {
        ...{ id: 'took', head: t('system.took'), numeric: true, width: 110 },
        value: ({ lastMs }) => lastMs,
        cell: ({ lastMs }) => (lastMs === null ? '–' : duration(lastMs / 1000)),
      },
      {
        ...{ id: 'passes', head: t('system.passes'), numeric: true, width: 110 },
        value: ({ passes }) => passes,
        cell: ({ passes }) => count(passes),
      },
      {
        ...{ id: 'failures', head: t('system.failures'), numeric: true, width: 100 },
        value: ({ failures }) => failures,
        cell: ({ failures }) => count(failures),
      },
      {
        ...{ id: 'problem', head: t('system.problem'), wraps: true },
        value: ({ problem }) => (problem === null ? null : t(problem)),
      },
    ],
    [t, count, duration],
  )
}
