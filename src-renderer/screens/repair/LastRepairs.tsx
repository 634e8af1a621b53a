/** The repairs since the engine was started: those under way, and how the last one of each copy ended. Older ones are in the
 *  audit trail. */
import { useMemo } from 'react'
import { useStore } from 'zustand'
import type { RepairOutcome } from '../../../src-main/contract/services/archive.ts'
import { timeUtc } from '../../parts/formats.ts'
import { Section } from '../../parts/Section.tsx'
import { Table } from '../../parts/Table.tsx'
import type { Column } from '../../parts/TableFrame.tsx'
import { ToneBadge } from '../../parts/tone.tsx'
import { copyKey } from '../../state/repairs.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { replicaColumn } from '../copies/columns.tsx'
import { hrefOf } from '../../routes/routes.ts'
import { outcomeTones } from './repairLooks.ts'

export function LastRepairs() {
  const say = useWords()
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
        head: say('repair.last.state'),
        value: ({ state }) => say(`repair.outcome.${state}`),
        cell: ({ state }) => <ToneBadge tone={outcomeTones[state]} text={say(`repair.outcome.${state}`)} />,
        width: 148,
      },
      {
        id: 'name',
        head: say('files.name'),
        value: ({ name }) => name,
        cell: ({ name, replica }) => (
          <a href={hrefOf({ place: 'repair', file: name, replica })} title={name}>
            {name}
          </a>
        ),
      },
      replicaColumn(say),
      {
        id: 'text',
        head: say('repair.last.text'),
        value: ({ text }) => text,
        cell: ({ text }) => <span title={text}>{text}</span>,
      },
      { id: 'by', head: say('repair.last.by'), value: ({ by }) => say(`repair.last.${by}`), width: 150 },
      {
        id: 'ended',
        head: say('repair.last.ended'),
        value: ({ ended }) => (ended === null ? null : timeUtc(ended)),
        width: 172,
      },
    ],
    [say],
  )
  if (rows.length === 0) return null
  return (
    <Section title={say('repair.last')}>
      <Table label={say('repair.last')} rows={rows} columns={columns} rowKey={copyKey} empty={null} tools={false} />
    </Section>
  )
}
