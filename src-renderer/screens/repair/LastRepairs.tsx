/** Repairs since the engine was started: those in progress, and the outcome of the last one of each copy. Older repairs are in the audit
 *  log. */
import { useMemo } from 'react'
import { useStore } from 'zustand'
import { repairStates } from '../../../src-main/contract/states/repairStates.ts'
import type { RepairOutcome } from '../../../src-main/contract/services/repairs.ts'
import { timeUtc } from '../../parts/formats.ts'
import { Section } from '../../parts/Section.tsx'
import { Table } from '../../parts/Table.tsx'
import type { Column } from '../../parts/TableFrame.tsx'
import { StateBadge } from '../../parts/tone.tsx'
import { copyKey } from '../../state/repairs.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { replicaColumn } from '../copies/columns.tsx'
import { hrefOf } from '../../routes/routes.ts'

export function LastRepairs() {
  const t = useWords()
  const { repairs: store } = useSession()
  const { outcomes } = useStore(store)
  const rows = useMemo(
    () => [...outcomes.values()].toSorted((one, other) => other.begun.localeCompare(one.begun)),
    [outcomes],
  )
  const columns = useMemo<Column<RepairOutcome>[]>(
    () => [
      {
        id: 'state',
        head: t('repair.last.state'),
        value: ({ state }) => t(repairStates.rows[state].badge),
        cell: ({ state }) => <StateBadge table={repairStates} state={state} />,
        width: 148,
      },
      {
        id: 'name',
        head: t('files.name'),
        value: ({ name }) => name,
        cell: ({ name, replica }) => (
          <a href={hrefOf({ place: 'repair', file: name, replica })} title={name}>
            {name}
          </a>
        ),
      },
      replicaColumn(t),
      {
        id: 'text',
        head: t('repair.last.text'),
        value: ({ message }) => t(message),
        cell: ({ message }) => <span title={t(message)}>{t(message)}</span>,
      },
      { id: 'by', head: t('repair.last.by'), value: ({ by }) => t(`repair.last.${by}`), width: 150 },
      {
        id: 'ended',
        head: t('repair.last.ended'),
        value: ({ ended }) => (ended === null ? null : timeUtc(ended)),
        width: 172,
      },
    ],
    [t],
  )
  if (rows.length === 0) return null
  return (
    <Section title={t('repair.last')}>
      <Table label={t('repair.last')} rows={rows} columns={columns} rowKey={copyKey} empty={null} tools={false} />
    </Section>
  )
}
