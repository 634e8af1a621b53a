/** The last lines of the logs of all jobs and of the engine. */
import { SegmentedControl } from '@mantine/core'
import { useCallback, useMemo, useState } from 'react'
import type { EngineLogLine } from '../../../src-main/contract/services/monitoring.ts'
import type { Tone } from '../../../src-main/contract/states/stateTable.ts'
import { Await } from '../../parts/Await.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { timeUtc } from '../../parts/formats.ts'
import { Section } from '../../parts/Section.tsx'
import { Table } from '../../parts/Table.tsx'
import type { Column } from '../../parts/TableFrame.tsx'
import { ToneBadge } from '../../parts/tone.tsx'
import { useLoaded } from '../../parts/useLoaded.ts'
import { useTicking } from '../../parts/useTicking.ts'
import { hrefOf } from '../../routes/routes.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'

const linesShown = 500
const everyMs = 2_000
const choices = ['all', 'warning', 'error'] as const
type Choice = (typeof choices)[number]

const levels: Record<Choice, readonly EngineLogLine['level'][]> = {
  all: ['info', 'warning', 'error'],
  warning: ['warning', 'error'],
  error: ['error'],
}
const tones: Record<EngineLogLine['level'], Tone> = { info: 'idle', warning: 'attention', error: 'failed' }

export function EngineLog() {
  const t = useWords()
  const { services } = useSession()
  const [choice, setChoice] = useState<Choice>('all')
  const [lines, reload] = useLoaded(useCallback(() => services.monitoring.log({ limit: linesShown }), [services]))
  useTicking(everyMs, reload)
  const columns = useColumns()
  return (
    <Section
      title={t('system.log')}
      actions={
        <SegmentedControl
          size="xs"
          aria-label={t('system.level')}
          data={choices.map((value) => ({ value, label: t(`system.log.${value}`) }))}
          value={choice}
          onChange={(value) => setChoice(choices.find((each) => each === value) ?? choice)}
        />
      }
    >
      <Await of={lines} onRetry={reload}>
        {(rows) => <LogTable rows={rows.filter(({ level }) => levels[choice].includes(level))} columns={columns} />}
      </Await>
    </Section>
  )
}

function LogTable({ rows, columns }: { rows: readonly EngineLogLine[]; columns: readonly Column<EngineLogLine>[] }) {
  const t = useWords()
  const keys = new Map(rows.map((row, index) => [row, rows.length - index]))
  return (
    <Table
      label={t('system.log')}
      rows={rows}
      columns={columns}
      rowKey={(row) => keys.get(row) ?? 0}
      heightMax={420}
      empty={<EmptyState title={t('system.log.none')} text={t('system.log.none.text')} />}
    />
  )
}

function useColumns(): Column<EngineLogLine>[] {
  const t = useWords()
  return useMemo(
    (): Column<EngineLogLine>[] => [
      { id: 'at', head: t('system.time'), value: ({ at }) => at, cell: ({ at }) => timeUtc(at), width: 180 },
      {
        ...{ id: 'level', head: t('system.level'), width: 120 },
        value: ({ level }) => t(`system.level.${level}`),
        cell: ({ level }) => <ToneBadge tone={tones[level]} text={t(`system.level.${level}`)} />,
      },
      {
        ...{ id: 'job', head: t('statistics.job'), numeric: true, width: 72 },
        value: ({ job }) => job,
        cell: ({ job }) => job !== null && <a href={hrefOf({ place: 'job', job })}>{job}</a>,
      },
      { id: 'text', head: t('system.text'), value: ({ message }) => t(message), wraps: true },
    ],
    [t],
  )
}
