/** The list of delivery plans, with their states and results. */
import { Text } from '@mantine/core'
import { Play, Plus, Square } from 'lucide-react'
import { useCallback, useMemo } from 'react'
import type { DeliveryPlanRow } from '../../../src-main/contract/services/deliveries.ts'
import { Await } from '../../parts/Await.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { timeUtc, useFormats } from '../../parts/formats.ts'
import { IconAction } from '../../parts/IconAction.tsx'
import { LinkButton } from '../../parts/LinkButton.tsx'
import { showNotice } from '../../parts/notice.ts'
import { PageHead } from '../../parts/PageHead.tsx'
import { Table } from '../../parts/Table.tsx'
import type { Column } from '../../parts/TableFrame.tsx'
import { ToneBadge } from '../../parts/tone.tsx'
import { useChanges } from '../../parts/useChanges.ts'
import { useLoaded } from '../../parts/useLoaded.ts'
import { hrefOf } from '../../routes/routes.ts'
import { faultFrom } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'
import { faultText } from '../../words/language.ts'
import { useWords } from '../../words/words.tsx'
import { outcomesOf, planLook } from './planLook.ts'
import { useStop } from './useStop.ts'

export function PlansScreen() {
  const t = useWords()
  const { services } = useSession()
  const [plans, reload] = useLoaded(useCallback(() => services.deliveries.list({}), [services]))
  useChanges(services.deliveries.changed, reload)
  const columns = useColumns()
  const newPlan = (
    <LinkButton
      needs="deliveries.save"
      href={hrefOf({ place: 'newPlan' })}
      leftSection={<Plus size={16} aria-hidden />}
    >
      {t('plans.new')}
    </LinkButton>
  )
  return (
    <>
      <PageHead title={t('plans.title')} actions={newPlan} />
      <Text maw="75ch" mb="md">
        {t('plans.text')}
      </Text>
      <Await of={plans} onRetry={reload}>
        {(rows) => (
          <Table
            label={t('plans.title')}
            rows={rows}
            columns={columns}
            rowKey={({ name }) => name}
            heightMax="calc(100vh - 260px)"
            empty={
              <EmptyState title={t('plans.none')} text={t('plans.none.text')}>
                {newPlan}
              </EmptyState>
            }
          />
        )}
      </Await>
    </>
  )
}

function useColumns(): Column<DeliveryPlanRow>[] {
  const t = useWords()
  const { count } = useFormats()
  return useMemo((): Column<DeliveryPlanRow>[] => {
    const outcome = (id: keyof ReturnType<typeof outcomesOf>): Column<DeliveryPlanRow> => ({
      ...{ id, head: t(`plans.${id}`), numeric: true, width: 124 },
      value: (row) => outcomesOf(row)[id],
      cell: (row) => count(outcomesOf(row)[id]),
    })
    return [
      {
        ...{ id: 'name', head: t('plans.name'), stays: true },
        value: ({ name }) => name,
        cell: ({ name }) => <a href={hrefOf({ place: 'plan', plan: name })}>{name}</a>,
      },
      {
        ...{ id: 'run', head: t('plans.run'), width: 160 },
        value: (row) => planLook(t, row).text,
        cell: (row) => <ToneBadge {...planLook(t, row)} />,
      },
      {
        ...{ id: 'actions', head: t('plans.actions'), width: 84 },
        value: () => null,
        cell: (row) => <RowAction row={row} />,
      },
      ...(['delivered', 'waiting', 'failed', 'dropped'] as const).map(outcome),
      {
        ...{ id: 'version', head: t('plans.version'), width: 84 },
        value: ({ version }) => version,
        cell: ({ version, newest }) => (version === newest ? version : t('plans.version.of', { version, newest })),
      },
      {
        ...{ id: 'saved', head: t('plans.saved'), width: 172 },
        value: ({ created }) => created,
        cell: ({ created }) => timeUtc(created),
      },
    ]
  }, [t, count])
}

function RowAction({ row: { name, run } }: { row: DeliveryPlanRow }) {
  const t = useWords()
  const { services } = useSession()
  const stop = useStop()
  async function start(): Promise<void> {
    try {
      await services.deliveries.run({ name })
    } catch (error) {
      showNotice({ title: t('plans.refused'), message: faultText(faultFrom(error)), isError: true })
    }
  }
  return run === 'stopped' ? (
    <IconAction name={t('plans.start.of', { name })} icon={Play} onClick={() => void start()} />
  ) : (
    <IconAction name={t('plans.stop.of', { name })} icon={Square} onClick={() => void stop(name)} />
  )
}
