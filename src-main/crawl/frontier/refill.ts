/** One stuffing: takes the best documents of all running jobs out of the queue into the hands, in the order of the queue, as
 *  far as the rates of their bins, the share of their job and the room of their host allow. What stands in the way of others
 *  is told, so that it can be placed behind. */
import type { Store } from '../../storage/storage.ts'
import type { World } from '../../world/world.ts'
import { depthOf } from './priority.ts'
import { lowWaterOf } from './refillAmount.ts'
import { binCap, jobCaps, type Pace } from './caps.ts'
import type { ReadyBuffer } from './readyBuffer.ts'
import { jobPriorities } from './placing.ts'
import type { QueuedRow, QueueStatements } from './queue.sql.ts'
import type { HostTurn, JobSlot, Servers } from './servers.ts'

export interface RefillSetting {
  store: Store
  world: Pick<World, 'chance'>
  sql: QueueStatements
  buffer: ReadyBuffer
  servers: Servers
  slots: ReadonlyMap<number, { slot: JobSlot; pace: Pace }>
}

export interface Refill {
  taken: number
  /** Met at the front and not taken, in their order. */
  blocked: { row: QueuedRow; turn: HostTurn }[]
  /** More was looked at than may be looked at in one stuffing: others may wait behind what is blocked. */
  wasCutShort: boolean
}

/** For each document wanted this many are looked at: enough to step over what is blocked, few enough to be quick. */
const examinedFactor = 2

export function refill(setting: RefillSetting, moment: RefillMoment): Refill {
  const { store, sql, buffer } = setting
  // Whatever is in the hands waits again after a stop of any kind.
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
  /** For the pauses of hosts, and for what is due. */
  nowMs: number
  dateMs: number
  /** Since the stuffing before. */
  intervalMs: number
}

interface Chosen {
  rows: { row: QueuedRow; turn: HostTurn }[]
  blocked: Refill['blocked']
  wasCutShort: boolean
}

/** Job priority 1 first; the next only when the ones before had not enough. */
function choose(setting: RefillSetting, { amount, nowMs, dateMs, intervalMs }: RefillMoment): Chosen {
  const { sql, servers, slots } = setting
  const chosen: Chosen = { rows: [], blocked: [], wasCutShort: false }
  const allows = caps(setting, amount, nowMs, intervalMs)
  const inUse = new Set([...slots.values()].map(({ slot }) => slot.priority))
  /** The same document of two jobs is in the hands of one of them at a time. */
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

/** Asked for each document in its order. The share of a job is used up by what is taken, not by what its bin then refuses, as
 *  it is in the seed's pull agent. */
function caps({ world, buffer, slots, servers }: RefillSetting, amount: number, nowMs: number, intervalMs: number) {
  const ofJobs = jobCaps(
    [...slots.values()].map(({ slot, pace }) => ({ job: slot.job, perMinute: pace.perMinute, workers: slot.workers })),
    amount,
  )
  const ofBins = new Map<string, number>()
  const ofHosts = new Map<HostTurn['server'], number>()
  const leftOf = (bin: string) =>
    ofBins.get(bin) ?? binCap(servers.limitsOf(bin).fetchesPerMs, Math.max(0, intervalMs), world.chance)
  /** A job that lets its documents lie must not fill the hands with them. */
  const isFull = (slot: JobSlot) => !slot.mayStart() && buffer.countOf(slot) >= lowWaterOf(slot.workers)
  return ({ job, role, url }: QueuedRow, turn: HostTurn): boolean => {
    const share = slots.size === 1 ? Infinity : (ofJobs.get(job) ?? 0)
    if (share <= 0 || isFull(turn.slot)) return false
    const bins = turn.slot.binsOf(url).map((bin) => ({ bin, left: leftOf(bin) }))
    for (const { bin, left } of bins) ofBins.set(bin, left)
    if (bins.some(({ left }) => left <= 0)) return false
    // Its host waits for nothing but this.
    const room = role === 'robots' ? Infinity : buffer.roomFor(turn, nowMs) - (ofHosts.get(turn.server) ?? 0)
    if (room <= 0) return false
    for (const { bin, left } of bins) ofBins.set(bin, left - 1)
    ofJobs.set(job, share - 1)
    ofHosts.set(turn.server, (ofHosts.get(turn.server) ?? 0) + 1)
    return true
  }
}

/** The queue has been worked off down to the best document that is left: new bins begin there. */
function deepen({ sql, slots }: RefillSetting, dateMs: number): void {
  const best = [...new Set([...slots.values()].map(({ slot }) => slot.priority))].flatMap(
    (jobPriority) => sql.frontPriority.get({ jobPriority, nowMs: dateMs, limit: 1 })?.priority ?? [],
  )
  if (best.length > 0) sql.deepen.run({ depthMin: depthOf(Math.min(...best)) })
}
