/** The queue of one destination, and the requests that empty it. It is bounded: what finds it full waits in the database, so that no other
 *  destination waits for this one. */
import type { Guarantee } from '../../contract/services/deliveryPlan.ts'
import { sleepUnlessAborted } from '../../world/sleepUnlessAborted.ts'
import type { Clock } from '../../world/world.ts'
import { heldBytesOf, type Document } from '../model/document.ts'
import { queueBytesMax, queueDocumentsMin, requestsMax } from '../model/limits.ts'
import { StepFault, type Destination, type SendResult } from '../model/steps.ts'
import { failureOf } from './failure.ts'
import type { InTime } from './inTime.ts'

/** A document in the queue. */
export interface Queued {
  document: Document
  /** Stores that it waits for a request. */
  batched(): void
  /** Stores durably that it leaves now; false: it must not. */
  sending(): Promise<boolean>
  /** Stores the result. `unknown`: the request may have arrived, and must not be repeated. */
  sent(result: SendResult | 'unknown'): Promise<void>
}

/** The queue of a destination. */
export interface DestinationQueue {
  /** Adds a document; false: the queue is full. Waits a moment for room where the destination gets on. */
  offer(queued: Queued): Promise<boolean>
  readonly isFull: boolean
  /** Sends until the signal is aborted. Rejects with bugs only. */
  run(signal: AbortSignal): Promise<void>
}

interface QueueSetting {
  clock: Clock
  inTime: InTime
  destination: Destination
  guarantee: Guarantee
  batchMax: number
  /** Requests at once; absent: several where it takes one document at a time, otherwise one. */
  atOnceMax?: number | undefined
  batchDelayMs: number
  timeoutMs: number
}

/** Longest pause without a look at the queue. */
const idleMs = 60_000
/** How long one document waits for room, so that others are not held up for longer. */
const roomMsMax = 100
/** Time without a request that ends after which a destination counts as slow. */
const progressMsMax = 500
/** Ends a wait: an error made for each would cost more than the wait. */
const rung = new Error('the queue has changed')

export function destinationQueue({
  clock,
  inTime,
  destination,
  guarantee,
  batchMax,
  atOnceMax = batchMax === 1 ? requestsMax : 1,
  ...times
}: QueueSetting): DestinationQueue {
  const waiting: { queued: Queued; bytes: number; atMs: number }[] = []
  const documentsMax = Math.max(queueDocumentsMin, 2 * batchMax)
  let bytes = 0
  let ring = new AbortController()
  let freed = new AbortController()
  let lastSentMs = clock.elapsed()

  async function nextBatch(signal: AbortSignal): Promise<Queued[]> {
    while (!signal.aborted) {
      const [first] = waiting
      const restMs = first ? first.atMs + times.batchDelayMs - clock.elapsed() : Infinity
      if (first && (waiting.length >= batchMax || restMs <= 0)) return taken()
      ring = ring.signal.aborted ? new AbortController() : ring
      await sleepUnlessAborted(clock, Math.min(restMs, idleMs), AbortSignal.any([signal, ring.signal]))
    }
    return []
  }

  function taken(): Queued[] {
    const batch = waiting.splice(0, batchMax)
    for (const each of batch) bytes -= each.bytes
    freed.abort(rung)
    freed = new AbortController()
    return batch.map(({ queued }) => queued)
  }

  async function deliver(batch: readonly Queued[]): Promise<void> {
    const mayLeave = guarantee === 'atLeastOnce' ? [] : await Promise.all(batch.map((each) => each.sending()))
    const leaving = batch.filter((_, at) => mayLeave[at] ?? true)
    if (leaving.length === 0) return
    const results = await send(leaving)
    lastSentMs = clock.elapsed()
    if (results === 'oneByOne') for (const each of leaving) await deliver([each])
    else await Promise.all(leaving.map((each, at) => each.sent(results[at] ?? 'unknown')))
  }

  /** Returns a result for each document, or that a document may be the cause of the failure of all. */
  async function send(batch: readonly Queued[]): Promise<readonly (SendResult | 'unknown')[] | 'oneByOne'> {
    try {
      const documents = batch.map(({ document }) => document)
      return await inTime(times.timeoutMs, (signal) => destination.send(documents, signal))
    } catch (error) {
      const isDocument = error instanceof StepFault && error.failure === 'document'
      if (isDocument && batch.length > 1) return 'oneByOne'
      const mayHaveArrived = !(error instanceof StepFault) || error.failure === 'unknown'
      if (guarantee === 'atMostOnce' && mayHaveArrived) return batch.map(() => 'unknown')
      const { state, why: problem } = failureOf(error)
      return batch.map(() => ({ isAccepted: false, problem, isLasting: isDocument && state === 'ERROR_DOC' }))
    }
  }

  async function work(signal: AbortSignal): Promise<void> {
    for (;;) {
      const batch = await nextBatch(signal)
      if (batch.length === 0) return
      await deliver(batch)
    }
  }

  /** Waits for room. A destination that does not get on is not waited for. */
  async function hasRoom(): Promise<boolean> {
    const untilMs = clock.elapsed() + roomMsMax
    while (isFull()) {
      const nowMs = clock.elapsed()
      if (nowMs >= untilMs || nowMs - lastSentMs > progressMsMax) return false
      await sleepUnlessAborted(clock, untilMs - nowMs, freed.signal)
    }
    return true
  }

  const isFull = () => waiting.length >= documentsMax || bytes >= queueBytesMax
  return {
    get isFull() {
      return isFull()
    },
    async offer(queued) {
      if (isFull() && !(await hasRoom())) return false
      const held = heldBytesOf(queued.document)
      waiting.push({ queued, bytes: held, atMs: clock.elapsed() })
      bytes += held
      if (batchMax > 1) queued.batched()
      if (waiting.length === 1 || waiting.length >= batchMax) ring.abort(rung)
      return true
    },
    run: async (signal) => {
      await Promise.all(Array.from({ length: atOnceMax }, () => work(signal)))
    },
  }
}
