/** The way of one document through the places of a plan. A status is durable before the document goes on: from then on the next step owns
 *  it. */
import type { DeliveryState } from '../../contract/states/deliveryStates.ts'
import { message, type Message } from '../../contract/words/message.ts'
import type { Document } from '../model/document.ts'
import type { Processed, Processor } from '../model/steps.ts'
import type { Place } from '../plan/places.ts'
import type { GroupCommit } from '../status/groupCommit.ts'
import type { Attempts, OpenStatuses, StatusWriter } from '../status/statusWriter.ts'
import type { DestinationQueue } from './destinationQueue.ts'
import { failureOf, type Failure } from './failure.ts'
import type { InTime } from './inTime.ts'
import type { onTheWay } from './onTheWay.ts'
import { branching } from './routing.ts'
import type { RunCounts, StepOutcome } from './runCounts.ts'

/** A document, or a part of one, with the destinations that it has not reached. */
export interface Copy {
  document: Document
  row: number
  /** Row of the scanned document. */
  original: number
  open: OpenStatuses
  hasParts: boolean
}

interface FlowSetting {
  inTime: InTime
  /** Id of the scanner. */
  scanner: number
  attempts: Attempts
  /** Id of each destination of the scanner, by its name. */
  destinations: ReadonlyMap<string, number>
  processorOf: (step: string) => Processor
  queueOf: (step: string) => DestinationQueue
  writer: StatusWriter
  write: GroupCommit['write']
  live: ReturnType<typeof onTheWay>
  counts: RunCounts
  /** Called when a document finds the queue of a destination full and waits in the database. */
  onParked(): void
  /** Called when a document may or may not have arrived, and is not sent again. */
  onUnknown(copy: Copy, destination: number): void
  /** Called with bugs in what is not awaited. */
  onBug(error: unknown): void
}

/** Returns the function that takes a document on from a place. It resolves when the document is in the queues of its destinations, or
 *  settled. */
export function flow(setting: FlowSetting): (copy: Copy, place: Place) => Promise<void> {
  const { destinations, writer, write, live, counts } = setting
  const branchesOf = branching(destinations)
  return onward

  /** Sets the status at all destinations that are open, and ends the way. */
  async function end(copy: Copy, state: DeliveryState, why: Message): Promise<void> {
    await settle(copy, [...copy.open.keys()], state, why)
  }

  async function settle(copy: Copy, at: readonly number[], state: DeliveryState, why: Message | null): Promise<void> {
    if (at.length === 0) return
    await write(() => {
      const statuses = at.map((destination) => ({ destination, id: copy.open.get(destination) }))
      writer.settle({ row: copy.row, hasParts: copy.hasParts }, statuses, state, why)
    })
    live.remove(copy.original, at)
  }

  async function enter(copy: Copy, place: Place): Promise<void> {
    const { destination, step } = place
    if (destination === undefined) return process(copy, place)
    const id = destinations.get(destination)
    // A destination that the document has reached is passed, so that nothing happens twice.
    if (id === undefined || !copy.open.has(id)) return onward(copy, place)
    const status = copy.open.get(id)
    if (status === undefined) {
      // Only parts of the document were on their way here, and it has none any more.
      await settle(copy, [id], 'DROPPED', message('delivery.parts.gone'))
      return onward({ ...copy, open: without(copy.open, id) }, place)
    }
    const isQueued = await setting.queueOf(step.name).offer({
      document: copy.document,
      batched: () => {
        write(() => writer.settle(copy, [{ destination: id, id: status }], 'BATCHED')).catch(setting.onBug)
      },
      sending: async () => {
        const mayLeave = await write(() => writer.begin(status))
        if (!mayLeave) live.remove(copy.original, copy.open.keys())
        return mayLeave
      },
      async sent(result) {
        if (result === 'unknown') {
          setting.onUnknown(copy, id)
          live.remove(copy.original, copy.open.keys())
          return
        }
        counts.settled(step.name, result.isAccepted ? 'done' : 'failed')
        if (!result.isAccepted) return end(copy, result.isLasting ? 'ERROR_DOC' : 'ERROR', result.problem)
        await settle(copy, [id], 'INDEXED', null)
        await onward({ ...copy, open: without(copy.open, id) }, place)
      },
    })
    if (isQueued) return
    live.remove(copy.original, copy.open.keys())
    setting.onParked()
  }

  async function process(copy: Copy, place: Place): Promise<void> {
    const made = await processed(copy.document, place)
    counts.settled(place.step.name, outcomeOf(made))
    if ('state' in made) return end(copy, made.state, made.why)
    if (made.kind === 'dropped') return end(copy, 'DROPPED', made.why)
    if (made.kind === 'parts') return split(copy, made.parts, place)
    return onward({ ...copy, document: made.document }, place)
  }

  async function processed(document: Document, { step }: Place): Promise<Processed | Failure> {
    const processor = setting.processorOf(step.name)
    try {
      return await setting.inTime(step.timeoutMs, (signal) => processor.process(document, signal))
    } catch (error) {
      return failureOf(error)
    }
  }

  async function split(copy: Copy, parts: readonly Document[], place: Place): Promise<void> {
    if (parts.length === 0) return end(copy, 'DROPPED', message('delivery.parts.none'))
    const copies = await write(() => {
      const admitted = writer.split(setting.scanner, copy, copy.original, parts, setting.attempts)
      for (const { open } of admitted) live.add(copy.original, open.keys())
      return admitted
    })
    live.remove(copy.original, copy.open.keys())
    const made = parts.flatMap((document, at) => {
      const admitted = copies[at]
      return admitted ? [{ ...admitted, document, original: copy.original }] : []
    })
    await Promise.all(made.map((part) => onward(part, place)))
  }

  async function onward(copy: Copy, place: Place): Promise<void> {
    if (copy.open.size === 0) return
    const { branches, left } = branchesOf(copy, place)
    counts.wentOn(place, branches)
    await settle(copy, left, 'DROPPED', message('delivery.routed', { step: place.step.name }))
    await Promise.all(branches.map(({ next, open }) => enter({ ...copy, open }, next)))
  }
}

function outcomeOf(made: Processed | Failure): StepOutcome {
  if ('state' in made) return 'failed'
  return made.kind === 'dropped' ? 'dropped' : 'done'
}

function without(open: OpenStatuses, destination: number): OpenStatuses {
  return new Map([...open].filter(([id]) => id !== destination))
}
