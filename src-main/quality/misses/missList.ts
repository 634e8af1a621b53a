/** Lists and groups misses, with their reasons. */
import type { JobMiss, MissFilter, MissGroup, MissOrder } from '../../contract/services/misses.ts'
import { missStates, type MissState } from '../../contract/states/missStates.ts'
import { message, type Message } from '../../contract/words/message.ts'
import type { Jobs } from '../../crawl/crawl.ts'
import type { Indexes } from '../../indexes/indexes.ts'
import type { Store } from '../../storage/storage.ts'
import { whyMissing } from '../reasons/whyMissing.ts'
import { missGroupStatement, missListStatements, missStatements, type BoundFilter, type MissRow } from './misses.sql.ts'
import { isOfRequest, reasonLabel } from './missReason.ts'

interface Parts {
  store: Store
  jobs: Pick<Jobs, 'whyMissing' | 'known' | 'fateOf'>
  indexes: Pick<Indexes, 'crawlLogs'>
  /** Brings the misses of a job up to date. */
  gather: (job: number) => Promise<void>
}

/** Misses in one order; `offset` and `limit` count misses. */
export interface MissQuery extends MissFilter {
  sort: MissOrder
  descending: boolean
  offset: number
  limit: number
}

/** The lists of misses. */
export interface MissLists {
  list(query: MissQuery): Promise<{ rows: JobMiss[]; total: number }>
  /** Groups by one property, the largest first. */
  groups(query: MissFilter & { by: MissGroup }): Promise<{ value: string; label: Message; misses: number }[]>
  /** Jobs with misses, the newest first. */
  jobs(): { job: number; name: string; open: number; total: number }[]
}

/** Opens the lists. */
export function missLists({ store, jobs, indexes, gather }: Parts): MissLists {
  async function upToDate(asked: readonly number[]): Promise<void> {
    for (const job of asked) await gather(job)
  }

  /** Explains the rows of one job. */
  async function explained(job: number, rows: readonly MissRow[]): Promise<[number, Message][]> {
    const asked = rows.filter(({ reason }) => !isOfRequest(reason)).map(({ id, url }) => ({ id, url, method: 'GET' }))
    const reasons = await whyMissing({ jobs, indexes }, [job], asked)
    return asked.flatMap(({ id }, at) => {
      const why = reasons[at]
      return why ? [[id, why]] : []
    })
  }

  /** Says why the patch job of an open miss has not captured it; null for a miss that is not open again. */
  function whyUnsolved({ url, state }: MissRow, patchJob: number): Message | null {
    if (state !== 'OPEN') return null
    if (jobs.known(patchJob) === undefined) return message('miss.patch.deleted')
    const fate = jobs.fateOf(patchJob, url)
    if (fate.is === 'captured') return message('miss.patch.status', { status: fate.status ?? '' })
    return jobs.whyMissing(patchJob, url) ?? message('miss.patch.neverFound')
  }

  return {
    async list({ sort, descending, offset, limit, ...filter }) {
      await upToDate(filter.jobs)
      const sql = missListStatements(store, { sort, descending })
      const rows = sql.list.all({ ...bound(filter), limit, offset })
      const total = sql.total.get(bound(filter))?.total ?? 0
      const why = new Map<number, Message>()
      for (const [job, ofJob] of Map.groupBy(rows, (row) => row.job))
        for (const [id, reason] of await explained(job, ofJob)) why.set(id, reason)
      return { rows: rows.map((row) => missOf(row, why.get(row.id), whyUnsolved)), total }
    },
    async groups({ by, ...filter }) {
      await upToDate(filter.jobs)
      const found = missGroupStatement(store, by).all(bound(filter))
      return found.map((group) => ({ ...group, label: labelOf(by, group.value) }))
    },
    jobs: () => missStatements(store).jobsWithMisses.all({}),
  }
}

function bound({ jobs, text, host, path, type, reason, page, state }: MissFilter): BoundFilter {
  return {
    ...{ jobs: JSON.stringify(jobs), text: text ?? null, host: host ?? null, path: path ?? null },
    ...{ type: type ?? null, reason: reason ?? null, page: page ?? null, state: state ?? null },
  }
}

function missOf(
  row: MissRow,
  why: Message | undefined,
  whyUnsolved: (row: MissRow, patchJob: number) => Message | null,
): JobMiss {
  const { patchJob, pages, firstMs, lastMs, ...rest } = row
  return {
    ...rest,
    why: why ?? reasonLabel(row.reason),
    pages: JSON.parse(pages) as string[],
    patch: patchJob === null ? null : { job: patchJob, why: whyUnsolved(row, patchJob) },
    first: new Date(firstMs).toISOString(),
    last: new Date(lastMs).toISOString(),
  }
}

function labelOf(by: MissGroup, value: string): Message {
  if (by === 'reason') return reasonLabel(value)
  if (by === 'state') return missStates.rows[value as MissState].badge
  return value === '' ? message('miss.unknown') : message('text', { text: value })
}
