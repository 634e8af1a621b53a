/** The tables of a queue: its hosts, what comes next, its rules and its budgets. Those without rows are not drawn. */
import { Button, Text, Title } from '@mantine/core'
import { useMemo } from 'react'
import type {
  BudgetStanding,
  QueuedDocument,
  QueueHost,
  QueueWhole,
  RejectRule,
} from '../../../src-main/contract/services/live.ts'
import { useConfirm } from '../../parts/confirm.tsx'
import { timeUtc, useFormats } from '../../parts/formats.ts'
import { HopPath } from '../../parts/HopPath.tsx'
import { LongAddress } from '../../parts/LongAddress.tsx'
import { Table } from '../../parts/Table.tsx'
import type { Column } from '../../parts/TableFrame.tsx'
import { useWords } from '../../words/words.tsx'
import { usedColumns } from './usedColumns.ts'

/** A host a screen's third; the rest is scrolled. */
const heightMax = 320

export function Hosts({ queue }: { queue: QueueWhole }) {
  const say = useWords()
  const { count } = useFormats()
  const columns = useMemo<Column<QueueHost>[]>(() => {
    const counted = (id: 'waiting' | 'inFlight' | 'fetched' | 'failed'): Column<QueueHost> => ({
      id,
      head: say(`queue.${id}`),
      value: (host) => host[id],
      cell: (host) => count(host[id]),
      numeric: true,
      width: 92,
    })
    return [
      { id: 'host', head: say('queue.host'), value: ({ host }) => host },
      counted('waiting'),
      counted('inFlight'),
      counted('fetched'),
      counted('failed'),
      {
        id: 'nextDue',
        head: say('queue.nextDue'),
        value: ({ nextDue }) => nextDue,
        cell: ({ nextDue, waiting }) => (nextDue ? timeUtc(nextDue) : waiting > 0 ? say('queue.now') : ''),
        width: 172,
      },
      {
        id: 'restingUntil',
        head: say('queue.resting'),
        value: ({ restingUntil }) => restingUntil,
        cell: ({ restingUntil }) => (restingUntil ? timeUtc(restingUntil) : ''),
        width: 172,
      },
      {
        id: 'pace',
        head: say('queue.pace'),
        value: ({ pace }) => pace,
        cell: ({ pace }) => count(Math.round(pace)),
        numeric: true,
        width: 116,
      },
    ]
  }, [say, count])
  return (
    <>
      <Table
        label={say('queue.hosts')}
        rows={queue.hosts}
        columns={columns}
        rowKey={({ host }) => host}
        heightMax={heightMax}
        empty={null}
      />
      {queue.hosts.length < queue.hostsTotal && (
        <Text c="dimmed">{say('queue.hosts.more', { shown: queue.hosts.length, total: queue.hostsTotal })}</Text>
      )}
    </>
  )
}

export function Head({ queue }: { queue: QueueWhole }) {
  const say = useWords()
  const columns = useMemo<Column<QueuedDocument>[]>(
    () => [
      { id: 'url', head: say('queue.url'), value: ({ url }) => url, cell: ({ url }) => <LongAddress address={url} /> },
      {
        id: 'hops',
        head: say('queue.hops'),
        value: ({ hopPath }) => hopPath,
        cell: ({ hopPath }) => <HopPath path={hopPath} />,
        width: 90,
      },
      {
        id: 'place',
        head: say('queue.place'),
        value: ({ lift }) => lift,
        cell: ({ lift }) => say(`queue.place.${lift}`),
        width: 90,
      },
    ],
    [say],
  )
  if (queue.head.length === 0) return null
  return (
    <>
      <PartTitle text={say('queue.head')} />
      <Text size="sm" c="dimmed" mb="xs">
        {say('queue.head.text')}
      </Text>
      <Table
        label={say('queue.head')}
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
  const say = useWords()
  const confirm = useConfirm()
  const { count } = useFormats()
  const columns = useMemo<Column<RejectRule>[]>(() => {
    const remove = async ({ rule, pattern, rejected }: RejectRule) => {
      const agreed = await confirm({
        title: say('queue.rule.remove.title', { pattern }),
        text: say('queue.rule.remove.text', { count: rejected }),
        verb: say('queue.rule.remove.verb'),
      })
      if (agreed) onRemove(rule)
    }
    return [
      {
        id: 'pattern',
        head: say('queue.rule'),
        value: ({ pattern }) => pattern,
        cell: ({ pattern }) => <code>{pattern}</code>,
      },
      {
        id: 'added',
        head: say('queue.rule.added'),
        value: ({ added }) => added,
        cell: ({ added }) => timeUtc(added),
        width: 172,
      },
      {
        id: 'state',
        head: say('queue.rule.state'),
        value: ({ problem }) => (problem === null ? say('queue.rule.holds') : say('queue.rule.refused', { problem })),
        width: 170,
      },
      {
        id: 'rejected',
        head: say('queue.rule.rejected'),
        value: ({ rejected }) => rejected,
        cell: ({ rejected }) => count(rejected),
        numeric: true,
        width: 100,
      },
      {
        id: 'remove',
        head: say('queue.rule.remove'),
        value: () => null,
        cell: (row) => (
          <Button
            size="compact-xs"
            variant="default"
            aria-label={say('queue.rule.remove.of', { pattern: row.pattern })}
            onClick={() => void remove(row)}
          >
            {say('queue.rule.remove')}
          </Button>
        ),
        width: 110,
      },
    ]
  }, [say, count, confirm, onRemove])
  if (queue.rules.length === 0) return null
  return (
    <>
      <PartTitle text={say('queue.rules')} />
      <Table
        label={say('queue.rules')}
        rows={queue.rules}
        columns={columns}
        rowKey={({ rule }) => rule}
        tools={false}
      />
    </>
  )
}

export function Budgets({ queue }: { queue: QueueWhole }) {
  const say = useWords()
  const formats = useFormats()
  const columns = useMemo<Column<BudgetStanding>[]>(
    () => [
      ...usedColumns({ say, formats }, { objects: 170, bytes: 170 }),
      { id: 'waiting', head: say('queue.waiting'), value: ({ waiting }) => waiting, numeric: true, width: 100 },
      {
        id: 'excluded',
        head: say('queue.budget.excluded'),
        value: ({ excluded }) => excluded,
        numeric: true,
        width: 100,
      },
    ],
    [say, formats],
  )
  if (queue.budgets.length === 0) return null
  return (
    <>
      <PartTitle text={say('queue.budgets.table')} />
      <Table
        label={say('queue.budgets.table')}
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
