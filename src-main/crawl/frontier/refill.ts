/** One refill: claims the best documents of all running jobs for the ready buffer, in the order of the queue, within the
 *  rates of their bins, the share of their job and the room of their host. It reports blocked documents, so that they can be
 *  moved to the end. */
import type { Store } from '../../storage/storage.ts'
import type { World } from '../../world/world.ts'
import { depthOf } from './priority.ts'
import { lowWaterOf } from './refillAmount.ts'
import { binCap, jobCaps, type Pace } from './caps.ts'
import type { ReadyBuffer } from './readyBuffer.ts'
import { jobPriorities } from './placing.ts'
import type { QueuedRow, QueueStatements } from './queue.sql.ts'
import type { HostTurn, JobSlot, Servers } from './servers.ts'

/** Parameters of a refill. */
export interface RefillSetting {
  store: Store
  world: Pick<World, 'chance'>
  sql: QueueStatements
  buffer: ReadyBuffer
  servers: Servers
  slots: ReadonlyMap<number, { slot: JobSlot; pace: Pace }>
}

/** Result of a refill. */
export interface Refill {
  taken: number
  /** Documents at the front that were not taken, in order. */
  blocked: { row: QueuedRow; turn: HostTurn }[]
  /** True if the refill examined as many rows as it may, so documents that could be fetched may come after the blocked ones. */
  wasCutShort: boolean
}

/** Rows examined per document wanted: enough to pass over blocked ones, few enough to be fast. */
const examinedFactor = 2

/** Performs one refill. */
export function refill(setting: RefillSetting, moment: RefillMoment): Refill {
  const { store, sql, buffer } = setting
  // An unsynced transaction is enough: after any kind of stop, claimed documents are queued again.
  return store.unsyncedTransaction(() => {
    const chosen = choose(setting, moment)
    const turns = new Map(chosen.rows.map(({ row, turn }) => [row.id, turn]))
    const documents = turns.size === 0 ? [] : sql.claim.all({ ids: JSON.stringify([...turns.keys()]) })
    const claimed = new Map(documents.map((document) => [document.id, document]))
    for (const [id, turn] of turns) {
      const document = claimed.get(id)
      if (document) buffer.put({ turn, document })
    }
    deepen(setting, moment.dateMs)
    return { taken: documents.length, blocked: chosen.blocked, wasCutShort: chosen.wasCutShort }
  })
}

interface RefillMoment {
  amount: number
  /** Monotonic time, for the delays of hosts; `dateMs` is the wall clock, for due times. */
  nowMs: number
  dateMs: number
  /** Time since the previous refill. */
  intervalMs: number
}

interface Chosen {
  rows: { row: QueuedRow; turn: HostTurn }[]
  blocked: Refill['blocked']
  wasCutShort: boolean
}

/** Chooses documents, job priority 1 first; the next priority only if the ones before had not enough. */
function choose(setting: RefillSetting, { amount, nowMs, dateMs, intervalMs }: RefillMoment): Chosen {
  const { sql, servers, slots } = setting
  const chosen: Chosen = { rows: [], blocked: [], wasCutShort: false }
  const allows = caps(setting, amount, nowMs, intervalMs)
  const inUse = new Set([...slots.values()].map(({ slot }) => slot.priority))
  /** A URL that two jobs share is in the buffer for only one of them at a time. */
  const urls = new Set<string>()
  let examined = 0
  for (const jobPriority of jobPriorities) {
    if (!inUse.has(jobPriority)) continue
    const limit = examinedFactor * amount - examined
    const rows = sql.front.all({ jobPriority, nowMs: dateMs, limit })
    for (const row of rows) {
      const slot = slots.get(row.job)?.slot
      if (!slot) continue
      examined += 1
      if (urls.has(row.url)) continue
      const turn = servers.turnOf(slot, row.host, row.url)
      const isAllowed = allows(row, turn)
      if (isAllowed) urls.add(row.url)
      ;(isAllowed ? chosen.rows : chosen.blocked).push({ row, turn })
      if (chosen.rows.length >= amount) return chosen
    }
    if (rows.length === limit) return { ...chosen, wasCutShort: true }
  }
  return chosen
}

/** Returns a function that decides about each document in the order of the queue. A document that its bin refuses does not
 *  use up the share of its job. */
function caps({ world, buffer, slots, servers }: RefillSetting, amount: number, nowMs: number, intervalMs: number) {
  const ofJobs = jobCaps(
    [...slots.values()].map(({ slot, pace }) => ({ job: slot.job, perMinute: pace.perMinute, workers: slot.workers })),
    amount,
  )
  const ofBins = new Map<string, number>()
  const ofHosts = new Map<HostTurn['server'], number>()
  const leftOf = (bin: string) =>
    ofBins.get(bin) ?? binCap(servers.limitsOf(bin).fetchesPerMs, Math.max(0, intervalMs), world.chance)
  /** A job that does not start its ready documents must not fill the buffer with them. */
  const isFull = (slot: JobSlot) => !slot.mayStart() && buffer.countOf(slot) >= lowWaterOf(slot.workers)
  return ({ job, role, url }: QueuedRow, turn: HostTurn): boolean => {
    const share = slots.size === 1 ? Infinity : (ofJobs.get(job) ?? 0)
    if (share <= 0 || isFull(turn.slot)) return false
    const bins = turn.slot.binsOf(url).map((bin) => ({ bin, left: leftOf(bin) }))
    for (const { bin, left } of bins) ofBins.set(bin, left)
    if (bins.some(({ left }) => left <= 0)) return false
    // robots.txt always has room: the rest of its host waits for it.
    const room = role === 'robots' ? Infinity : buffer.roomFor(turn, nowMs) - (ofHosts.get(turn.server) ?? 0)
    if (room <= 0) return false
    for (const { bin, left } of bins) ofBins.set(bin, left - 1)
    ofJobs.set(job, share - 1)
    ofHosts.set(turn.server, (ofHosts.get(turn.server) ?? 0) + 1)
    return true
  }
}

/** Records how far the queue has advanced: new bins begin at the best document that is left. */
function deepen({ sql, slots }: RefillSetting, dateMs: number): void {
  const best = [...new Set([...slots.values()].map(({ slot }) => slot.priority))].flatMap(
    (jobPriority) => sql.frontPriority.get({ jobPriority, nowMs: dateMs, limit: 1 })?.priority ?? [],
  )
  if (best.length > 0) sql.deepen.run({ depthMin: depthOf(Math.min(...best)) })
}
