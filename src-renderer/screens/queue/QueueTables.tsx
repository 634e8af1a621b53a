/** The tables of a queue: hosts, next URLs, rules and budgets. Tables without rows are not shown. */
import { Text, Title } from '@mantine/core'
import { useMemo } from 'react'
import type {
  BudgetUse,
  QueuedDocument,
  QueueHost,
  QueueWhole,
  RejectRule,
} from '../../../src-main/contract/services/live.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { useConfirm } from '../../parts/confirm.tsx'
import { timeUtc, useFormats } from '../../parts/formats.ts'
import { HopPath } from '../../parts/HopPath.tsx'
import { LongAddress } from '../../parts/LongAddress.tsx'
import { Table } from '../../parts/Table.tsx'
import type { Column } from '../../parts/TableFrame.tsx'
import { useWords } from '../../words/words.tsx'
import { usedColumns } from './usedColumns.ts'

/** About a third of a screen; the rest is scrolled. */
const heightMax = 320

export function Hosts({ queue }: { queue: QueueWhole }) {
  const t = useWords()
  const { count } = useFormats()
  const columns = useMemo<Column<QueueHost>[]>(() => {
    const counted = (id: 'waiting' | 'inFlight' | 'fetched' | 'failed'): Column<QueueHost> => ({
      id,
      head: t(`queue.${id}`),
      value: (host) => host[id],
      cell: (host) => count(host[id]),
      numeric: true,
      width: 108,
    })
    return [
      { id: 'host', head: t('queue.host'), value: ({ host }) => host },
      counted('waiting'),
      counted('inFlight'),
      counted('fetched'),
      counted('failed'),
      {
        id: 'nextDue',
        head: t('queue.nextDue'),
        value: ({ nextDue }) => nextDue,
        cell: ({ nextDue, waiting }) => (nextDue ? timeUtc(nextDue) : waiting > 0 ? t('queue.now') : ''),
        width: 172,
      },
      {
        id: 'restingUntil',
        head: t('queue.resting'),
        value: ({ restingUntil }) => restingUntil,
        cell: ({ restingUntil }) => (restingUntil ? timeUtc(restingUntil) : ''),
        width: 172,
      },
      {
        id: 'pace',
        head: t('queue.pace'),
        value: ({ pace }) => pace,
        cell: ({ pace }) => count(Math.round(pace)),
        numeric: true,
        width: 140,
      },
    ]
  }, [t, count])
  return (
    <>
      <Table
        label={t('queue.hosts')}
        rows={queue.hosts}
        columns={columns}
        rowKey={({ host }) => host}
        heightMax={heightMax}
        empty={null}
      />
      {queue.hosts.length < queue.hostsTotal && (
        <Text c="dimmed">{t('queue.hosts.more', { shown: queue.hosts.length, total: queue.hostsTotal })}</Text>
      )}
    </>
  )
}

export function Head({ queue }: { queue: QueueWhole }) {
  const t = useWords()
  const columns = useMemo<Column<QueuedDocument>[]>(
    () => [
      { id: 'url', head: t('queue.url'), value: ({ url }) => url, cell: ({ url }) => <LongAddress address={url} /> },
      {
        id: 'hops',
        head: t('queue.hops'),
        value: ({ hopPath }) => hopPath,
        cell: ({ hopPath }) => <HopPath path={hopPath} />,
        width: 90,
      },
      {
        id: 'place',
        head: t('queue.place'),
        value: ({ lift }) => lift,
        cell: ({ lift }) => t(`queue.place.${lift}`),
        width: 90,
      },
    ],
    [t],
  )
  if (queue.head.length === 0) return null
  return (
    <>
      <PartTitle text={t('queue.head')} />
      <Text size="sm" c="dimmed" mb="xs">
        {t('queue.head.text')}
      </Text>
      <Table
        label={t('queue.head')}
        rows={queue.head}
        columns={columns}
        rowKey={({ url }) => url}
        heightMax={heightMax}
        tools={false}
        empty={null}
      />
    </>
  )
}

export function Rules({ queue, onRemove }: { queue: QueueWhole; onRemove: (rule: number) => void }) {
  const t = useWords()
  const confirm = useConfirm()
  const { count } = useFormats()
  const columns = useMemo<Column<RejectRule>[]>(() => {
    const remove = async ({ rule, pattern, rejected }: RejectRule) => {
      const agreed = await confirm({
        title: t('queue.rule.remove.title', { pattern }),
        text: t('queue.rule.remove.text', { count: rejected }),
        verb: t('queue.rule.remove.verb'),
      })
      if (agreed) onRemove(rule)
    }
    return [
      {
        id: 'pattern',
        head: t('queue.rule'),
        value: ({ pattern }) => pattern,
        cell: ({ pattern }) => <code>{pattern}</code>,
      },
      {
        id: 'added',
        head: t('queue.rule.added'),
        value: ({ added }) => added,
        cell: ({ added }) => timeUtc(added),
        width: 172,
      },
      {
        id: 'state',
        head: t('queue.rule.state'),
        value: ({ problem }) =>
          problem === null ? t('queue.rule.holds') : t('queue.rule.refused', { problem: t(problem) }),
        width: 170,
      },
      {
        id: 'rejected',
        head: t('queue.rule.rejected'),
        value: ({ rejected }) => rejected,
        cell: ({ rejected }) => count(rejected),
        numeric: true,
        width: 100,
      },
      {
        id: 'remove',
        head: t('queue.rule.remove'),
        value: () => null,
        cell: (row) => (
          <ActionButton
            needs="queue.unreject"
            size="compact-xs"
            variant="default"
            aria-label={t('queue.rule.remove.of', { pattern: row.pattern })}
            onClick={() => void remove(row)}
          >
            {t('queue.rule.remove')}
          </ActionButton>
        ),
        width: 110,
      },
    ]
  }, [t, count, confirm, onRemove])
  if (queue.rules.length === 0) return null
  return (
    <>
      <PartTitle text={t('queue.rules')} />
      <Table label={t('queue.rules')} rows={queue.rules} columns={columns} rowKey={({ rule }) => rule} tools={false} />
    </>
  )
}

export function Budgets({ queue }: { queue: QueueWhole }) {
  const t = useWords()
  const formats = useFormats()
  const columns = useMemo<Column<BudgetUse>[]>(
    () => [
      ...usedColumns({ t, formats }, { objects: 170, bytes: 170 }),
      { id: 'waiting', head: t('queue.waiting'), value: ({ waiting }) => waiting, numeric: true, width: 100 },
      {
        id: 'excluded',
        head: t('queue.budget.excluded'),
        value: ({ excluded }) => excluded,
        numeric: true,
        width: 100,
      },
    ],
    [t, formats],
  )
  if (queue.budgets.length === 0) return null
  return (
    <>
      <PartTitle text={t('queue.budgets.table')} />
      <Table
        label={t('queue.budgets.table')}
        rows={queue.budgets}
        columns={columns}
        rowKey={({ domain }) => domain}
        heightMax={heightMax}
        tools={false}
      />
    </>
  )
}

function PartTitle({ text }: { text: string }) {
  return (
    <Title order={3} size="h5" mt="md" mb="xs">
      {text}
    </Title>
  )
}
