/** Finds stranded documents and begins them again, each once, at exactly the destinations that it has not reached. */
import type { DeliveryState } from '../../contract/states/deliveryStates.ts'
import { message } from '../../contract/words/message.ts'
import type { Store } from '../../storage/storage.ts'
import type { Clock } from '../../world/world.ts'
import type { Document } from '../model/document.ts'
import type { Scanner } from '../model/steps.ts'
import type { Place } from '../plan/places.ts'
import type { GroupCommit } from '../status/groupCommit.ts'
import { originalsIn } from '../status/originals.ts'
import { statusStatements, type StatusRow } from '../status/status.sql.ts'
import { isWaiting, type Admitted, type Attempts, type StatusWriter } from '../status/statusWriter.ts'
import { failureOf, type Failure } from './failure.ts'
import type { Copy } from './flow.ts'
import type { Entered, Gate, onTheWay } from './onTheWay.ts'

interface RefeedSetting {
  store: Store
  clock: Pick<Clock, 'now'>
  scanner: Scanner
  start: Place
  attempts: Attempts
  /** Destinations with whether their queues have room now, and the pause after a failure; undefined: until the next scan. */
  destinations: readonly { id: number; hasRoom: () => boolean; retryDelayMs: number | undefined }[]
  writer: StatusWriter
  write: GroupCommit['write']
  live: ReturnType<typeof onTheWay>
  gate: Gate
  /** Rows of documents that are about to begin: they are on their way as soon as their statuses are durable. */
  claimed: Set<number>
  onward: (copy: Copy, place: Place) => Promise<void>
  onBug(error: unknown): void
  signal: AbortSignal
}

/** Begins stranded documents while there is room for them. */
export interface Refeed {
  /** With `all`, also failed documents whose pause is until the next scan. `full`: more documents wait for room. */
  pass(options: { all: boolean }): Promise<'full' | 'done'>
  /** Whether any document waits to be processed again. */
  hasWaiting(): boolean
}

const always: readonly DeliveryState[] = ['FORCE', 'RESTART', 'PROCESSING', 'BATCHED']

export function refeed(setting: RefeedSetting): Refeed {
  const { store, clock, destinations, writer, write, live, gate, claimed, signal } = setting
  const sql = statusStatements(store)

  type Target = (typeof destinations)[number]

  const waitingAt = (target: Target, state: DeliveryState) =>
    originalsIn(sql, clock, {
      ...{ destination: target.id, state },
      delayMs: state === 'ERROR' ? (target.retryDelayMs ?? 0) : 0,
    })

  async function begin(original: number, isDue: (destination: number) => boolean, entered: Entered): Promise<void> {
    const found = await find(original)
    const isReady = ({ state, destination }: StatusRow) => isWaiting(state) && (state !== 'ERROR' || isDue(destination))
    const admitted = await write(() => {
      const made = writer.readmit(original, (destination) => live.has(original, destination), isReady, setting.attempts)
      live.add(original, made.open.keys())
      return made
    })
    claimed.delete(original)
    if ('state' in found) await fail(admitted, found)
    else {
      entered.hold(found)
      await setting.onward({ ...admitted, document: found, original }, setting.start)
    }
    entered.leave()
  }

  async function find(original: number): Promise<Document | Failure> {
    const id = sql.keyOf.get({ id: original })?.key
    if (id === undefined) throw new Error(`there is no document ${original}`)
    try {
      return (await setting.scanner.find(id, signal)) ?? { state: 'ERROR', why: message('delivery.source.absent') }
    } catch (error) {
      return failureOf(error)
    }
  }

  /** The source did not give the document. */
  async function fail({ row, open, hasParts }: Admitted, { state, why }: Failure): Promise<void> {
    if (open.size === 0) return
    const at = [...open].map(([destination, id]) => ({ destination, id }))
    await write(() => writer.settle({ row, hasParts }, at, state, why))
    live.remove(row, open.keys())
  }

  async function passAt(target: Target, states: readonly DeliveryState[], all: boolean): Promise<boolean> {
    const nextScan = destinations.filter(({ retryDelayMs }) => all && retryDelayMs === undefined)
    const isDue = (destination: number) => destination === target.id || nextScan.some(({ id }) => id === destination)
    for (const state of states) {
      for (const original of waitingAt(target, state)) {
        if (claimed.has(original) || live.has(original, target.id)) continue
        if (!target.hasRoom() || signal.aborted) return true
        claimed.add(original)
        begin(original, isDue, await gate.enter()).catch(setting.onBug)
      }
    }
    return false
  }

  return {
    async pass({ all }) {
      let isFull = false
      for (const target of destinations) {
        const retries = all || target.retryDelayMs !== undefined
        const isShort = await passAt(target, retries ? [...always, 'ERROR'] : always, all)
        isFull ||= isShort
      }
      return isFull ? 'full' : 'done'
    },
    hasWaiting: () =>
      destinations.some(({ id: destination }) =>
        [...always, 'ERROR' as const].some(
          (state) =>
            sql.inState.get({ destination, state, after: 0, delayMs: 0, nowMs: Number.MAX_SAFE_INTEGER, limit: 1 }) !==
            undefined,
        ),
      ),
  }
}
