/** All events of one document, at every destination of the plan. */
import { Group, Modal, Text } from '@mantine/core'
import { FileSearch } from 'lucide-react'
import { useCallback, useMemo } from 'react'
import type { Loupe } from '../../../src-main/contract/contract.ts'
import { deliveryStates } from '../../../src-main/contract/states/deliveryStates.ts'
import { Await } from '../../parts/Await.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { timeUtc } from '../../parts/formats.ts'
import { LinkButton } from '../../parts/LinkButton.tsx'
import { Table } from '../../parts/Table.tsx'
import type { Column } from '../../parts/TableFrame.tsx'
import { StateBadge } from '../../parts/tone.tsx'
import { useChanges } from '../../parts/useChanges.ts'
import { useLoaded } from '../../parts/useLoaded.ts'
import { hrefOf } from '../../routes/routes.ts'
import type { PlanView } from '../../state/plan.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { documentPlace } from './documentPlace.ts'

type Event = Awaited<ReturnType<Loupe['deliveries']['history']>>[number]

interface HistoryDialogProps {
  view: PlanView
  /** Undefined: closed. */
  document: string | undefined
  onClose: () => void
}

export function HistoryDialog({ view, document, onClose }: HistoryDialogProps) {
  const t = useWords()
  return (
    <Modal
      opened={document !== undefined}
      onClose={onClose}
      size="xl"
      title={t('plan.history')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      {document !== undefined && <History key={document} view={view} document={document} />}
    </Modal>
  )
}

function History({ view: { details }, document }: { view: PlanView; document: string }) {
  const t = useWords()
  const { services } = useSession()
  const { name, version } = details
  const ask = useCallback(
    () => services.deliveries.history({ name, version, document }),
    [services, name, version, document],
  )
  const [events, reload] = useLoaded(ask)
  useChanges(services.deliveries.changed, reload)
  return (
    <Await of={events} onRetry={reload}>
      {(rows) => {
        const kind = details.steps.find((step) => step.name === rows[0]?.scanner)?.kind
        const place = documentPlace(kind, document)
        return (
          <>
            <Group justify="space-between" align="start" wrap="nowrap" mb="md">
              <Text className="wrap">{document}</Text>
              {place && (
                <LinkButton
                  href={hrefOf(place)}
                  variant="default"
                  size="xs"
                  style={{ flex: 'none' }}
                  leftSection={<FileSearch size={14} aria-hidden />}
                >
                  {t('plan.history.open')}
                </LinkButton>
              )}
            </Group>
            {rows.length === 0 ? (
              <EmptyState title={t('plan.history.none')} text={t('plan.history.none.text')} />
            ) : (
              <Events events={rows} />
            )}
          </>
        )
      }}
    </Await>
  )
}

function Events({ events }: { events: readonly Event[] }) {
  const t = useWords()
  const rows = useMemo(() => events.map((event, number) => ({ ...event, number })), [events])
  const hasScanners = new Set(events.map(({ scanner }) => scanner)).size > 1
  const columns = useMemo(
    (): Column<(typeof rows)[number]>[] => [
      {
        ...{ id: 'time', head: t('plan.history.time'), width: 172 },
        value: ({ at }) => at,
        cell: ({ at }) => timeUtc(at),
      },
      ...(hasScanners
        ? [{ id: 'scanner', head: t('plan.scanner'), value: ({ scanner }: Event) => scanner, widthMin: 90 }]
        : []),
      {
        id: 'destination',
        head: t('plan.destination'),
        value: ({ destination }) => destination,
        wraps: true,
        widthMin: 110,
      },
      {
        ...{ id: 'state', head: t('plan.status'), width: 280 },
        value: ({ state }) => state,
        cell: ({ state }) => (
          <>
            <StateBadge table={deliveryStates} state={state} /> <code>{state}</code>
          </>
        ),
      },
      {
        ...{ id: 'message', head: t('plan.document.problem'), wraps: true },
        value: ({ message }) => (message ? t(message) : ''),
      },
    ],
    [t, hasScanners],
  )
  return (
    <Table
      label={t('plan.history.table')}
      rows={rows}
      columns={columns}
      rowKey={({ number }) => number}
      tools={false}
      heightMax="60vh"
    />
  )
}
