/** Documents at each destination by their current status. A number leads to its documents. */
import { Text } from '@mantine/core'
import { useMemo } from 'react'
import type { DeliveryDestination } from '../../../src-main/contract/services/deliveries.ts'
import { deliveryStates, type DeliveryState } from '../../../src-main/contract/states/deliveryStates.ts'
import { useFormats } from '../../parts/formats.ts'
import { Section } from '../../parts/Section.tsx'
import { Table } from '../../parts/Table.tsx'
import type { Column } from '../../parts/TableFrame.tsx'
import { StateBadge } from '../../parts/tone.tsx'
import { hrefOf } from '../../routes/routes.ts'
import { statesIn, summed } from '../../state/planStatuses.ts'
import { useWords } from '../../words/words.tsx'

export function StatusTable({ plan, destinations }: { plan: string; destinations: readonly DeliveryDestination[] }) {
  const t = useWords()
  const columns = useColumns(plan, destinations)
  const isEmpty = statesIn(summed(destinations.map(({ counts }) => counts))).length === 0
  return (
    <Section title={t('plan.statuses')}>
      <Text c="dimmed" size="sm" mb="xs">
        {isEmpty ? t('plan.statuses.none') : t('plan.statuses.text')}
      </Text>
      {!isEmpty && (
        <Table
          label={t('plan.statuses')}
          rows={destinations}
          columns={columns}
          rowKey={({ id }) => id}
          tools={false}
          heightMax={420}
        />
      )}
    </Section>
  )
}

function useColumns(plan: string, destinations: readonly DeliveryDestination[]): Column<DeliveryDestination>[] {
  const t = useWords()
  const { count } = useFormats()
  return useMemo(() => {
    const hasScanners = new Set(destinations.map(({ scanner }) => scanner)).size > 1
    const states = statesIn(summed(destinations.map(({ counts }) => counts)))
    const stateColumn = (state: DeliveryState): Column<DeliveryDestination> => {
      const badge = t(deliveryStates.rows[state].badge)
      return {
        ...{ id: state, head: badge, numeric: true, width: 136 },
        headCell: <StateBadge table={deliveryStates} state={state} />,
        value: ({ counts }) => counts[state] ?? 0,
        cell: ({ scanner, destination, counts }) => {
          const documents = count(counts[state] ?? 0)
          return counts[state] ? (
            <a
              href={hrefOf({ place: 'plan', plan, scanner, destination, state })}
              aria-label={t('plan.cell', { destination, status: badge, count: documents })}
            >
              {documents}
            </a>
          ) : (
            documents
          )
        },
      }
    }
    return [
      { id: 'destination', head: t('plan.destination'), value: ({ destination }) => destination },
      ...(hasScanners
        ? [{ id: 'scanner', head: t('plan.scanner'), value: ({ scanner }: DeliveryDestination) => scanner }]
        : []),
      ...states.map(stateColumn),
      {
        ...{ id: 'total', head: t('plan.total'), numeric: true, width: 100 },
        value: ({ counts }) => totalOf(counts),
        cell: ({ counts }) => count(totalOf(counts)),
      },
    ]
  }, [t, count, plan, destinations])
}

function totalOf(counts: DeliveryDestination['counts']): number {
  return Object.values(counts).reduce((sum, documents) => sum + documents, 0)
}
