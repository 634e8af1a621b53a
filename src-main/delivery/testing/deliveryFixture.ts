/** A plan over a source and destinations in memory, in a seeded world whose power can be cut, and the invariants of its log. */
import { z } from 'zod'
import type { WrittenDeliveryPlan } from '../../contract/services/deliveryPlan.ts'
import { deliveryStates, isTerminalDelivery, type DeliveryState } from '../../contract/states/deliveryStates.ts'
import { message } from '../../contract/words/message.ts'
import type { Store } from '../../storage/storage.ts'
import type { World } from '../../world/world.ts'
import { contentOf, partOf, scannedDocument, type Document } from '../model/document.ts'
import {
  destinationKind,
  processorKind,
  scannerKind,
  StepFault,
  type SendResult,
  type StepEnvironment,
  type StepKinds,
} from '../model/steps.ts'
import { openPlans, type Migration } from '../plan/plans.ts'
import { readPlan } from '../plan/readPlan.ts'
import type { RunProgress } from '../run/runCounts.ts'
import { runPlan, type DeliveryReport } from '../run/runPlan.ts'

/** What a destination does about one document: 'accept', 'fail' (once more may help), 'refuse' (it never helps), 'throw', 'reset' (it was
 *  accepted and the answer is lost), 'document' (one document spoils the whole request), 'down' (nothing was sent). */
export type Behaviour = 'accept' | 'fail' | 'refuse' | 'throw' | 'reset' | 'document' | 'down'

/** One event of the log. */
export interface LoggedEvent {
  key: string
  destination: string
  state: DeliveryState
}

export interface Fixture {
  /** Documents of the source: id → content. */
  source: Map<string, string>
  /** What arrived: `destination id content`. */
  arrived: string[]
  reports: DeliveryReport[]
  progress: RunProgress[]
  kinds: StepKinds
  behaviour: (destination: string, document: Document) => Behaviour
  /** Problems that were seen while it ran. */
  wrong: string[]
  /** Starts of scans, in milliseconds of the monotonic clock. */
  scans: number[]
  /** Scans that run now. */
  scansNow: number
}

/** Makes a source and destinations. The store is asked what is durable when something is sent. */
export function deliveryFixture(store: Store, worldNow: () => World): Fixture {
  const fixture: Fixture = {
    ...{
      source: new Map(),
      arrived: [],
      reports: [],
      progress: [],
      kinds: {},
      wrong: [],
      scans: [],
      scansNow: 0,
    },
    behaviour: () => 'accept',
  }
  const documentOf = (id: string, text: string) =>
    scannedDocument({
      id,
      hash: text,
      fields: { title: [text], kind: [text.slice(0, 1)] },
      content: contentOf(Buffer.from(text)),
    })
  const stateNow = store.statement<{ key: string; name: string }, { state: DeliveryState }>(
    `SELECT status.state FROM delivery_status AS status JOIN delivery_document AS document ON document.id = document_id
     JOIN delivery_destination AS destination ON destination.id = destination_id
     WHERE document.key = @key AND (destination.name = @name OR destination.name LIKE @name || '<-via->%') AND status.state <> 'DROPPED'
     ORDER BY status.changed_ms DESC, status.id DESC`,
  )

  async function send(name: string, documents: readonly Document[], isMarked: boolean): Promise<SendResult[]> {
    for (const { id } of isMarked ? documents : [])
      if (!stateNow.all({ key: id, name }).some(({ state }) => state === 'INDEXING'))
        fixture.wrong.push(`${id} leaves for ${name} without a durable status`)
    await worldNow().clock.sleep(1)
    const behaviours = documents.map((document) => fixture.behaviour(name, document))
    if (behaviours.includes('down'))
      throw new StepFault(message('delivery.thrown', { problem: 'down' }), { failure: 'notSent' })
    if (behaviours.includes('document'))
      throw new StepFault(message('delivery.thrown', { problem: 'bad' }), { failure: 'document', isLasting: true })
    if (behaviours.includes('throw')) throw new Error('a bug of the step')
    documents.forEach(({ id, hash }, at) => {
      if (behaviours[at] === 'accept' || behaviours[at] === 'reset') fixture.arrived.push(`${name} ${id} ${hash}`)
    })
    await worldNow().clock.sleep(1)
    if (behaviours.includes('reset'))
      throw new StepFault(message('delivery.thrown', { problem: 'reset' }), { failure: 'unknown' })
    return behaviours.map((behaviour) =>
      behaviour === 'accept'
        ? { isAccepted: true }
        : {
            isAccepted: false,
            problem: message('delivery.thrown', { problem: behaviour }),
            isLasting: behaviour === 'refuse',
          },
    )
  }

  const named = z.strictObject({ as: z.string() })
  fixture.kinds = {
    source: scannerKind({
      settings: z.strictObject({}),
      open: () => ({
        async *scan() {
          fixture.scansNow += 1
          if (fixture.scansNow > 1) fixture.wrong.push('two scans at once')
          fixture.scans.push(worldNow().clock.elapsed())
          for (const [id, text] of [...fixture.source]) {
            await worldNow().clock.sleep(0.1)
            yield documentOf(id, text)
          }
          fixture.scansNow -= 1
        },
        async find(id) {
          await worldNow().clock.sleep(0.1)
          const text = fixture.source.get(id)
          return text === undefined ? undefined : documentOf(id, text)
        },
      }),
    }),
    pass: processorKind({
      isMutating: true,
      settings: z.strictObject({}),
      open: () => ({
        async process(document) {
          await worldNow().clock.sleep(0.1)
          return { kind: 'document', document }
        },
      }),
    }),
    /** `a,b,c` becomes three parts. */
    split: processorKind({
      isMutating: true,
      settings: z.strictObject({}),
      open: () => ({
        process: (document) => ({
          kind: 'parts',
          parts: document.hash
            .split(',')
            .map((text, at) => partOf(document, at, { fields: { title: [text] }, content: document.content })),
        }),
      }),
    }),
    safely: destinationKind({
      ...{ effect: 'idempotent', isMutating: false, guarantee: 'atLeastOnce', batchMax: 1, settings: named },
      open: ({ as }) => ({ send: (documents) => send(as, documents, false) }),
    }),
    once: destinationKind({
      ...{ effect: 'potent', isMutating: false, guarantee: 'atMostOnce', batchMax: 1, settings: named },
      open: ({ as }) => ({ send: (documents) => send(as, documents, true) }),
    }),
    batches: destinationKind({
      ...{ effect: 'potent', isMutating: false, guarantee: 'atMostOnce', batchMax: 3, settings: named },
      open: ({ as }) => ({ send: (documents) => send(as, documents, true) }),
    }),
  }
  return fixture
}

/** Stores a version of a plan, and returns what runs it until the signal is aborted. */
export function storedPlan(
  store: Store,
  fixture: Fixture,
  written: WrittenDeliveryPlan,
  migration: Migration = 'refeed',
) {
  const read = readPlan(written, fixture.kinds)
  if ('faults' in read) throw new Error(JSON.stringify(read.faults))
  const plans = openPlans({ store, clock: { now: () => 0 }, kinds: fixture.kinds })
  const version = plans.add({ plan: read.plan, toml: '' }, migration)
  return (world: World, signal: AbortSignal = new AbortController().signal) => {
    // A cut ends the scan that ran.
    fixture.scansNow = 0
    const environment: StepEnvironment = {
      store,
      world,
      indexesFolder: '/nowhere',
      openFile: () => Promise.resolve(undefined),
      filesOf: () => Promise.resolve([]),
    }
    return runPlan({
      ...{ environment, kinds: fixture.kinds, version, scanners: plans.scanners(version), signal },
      onReport: (report) => void fixture.reports.push(report),
      onProgress: (progress) => void fixture.progress.push(progress),
    })
  }
}

/** Returns the events of all documents in their order. */
export function eventsIn(store: Store): LoggedEvent[] {
  return store
    .statement<object, LoggedEvent>(
      `SELECT document.key, destination.name AS destination, event.state FROM delivery_event AS event
       JOIN delivery_status AS status ON status.id = event.status_id
       JOIN delivery_document AS document ON document.id = status.document_id
       JOIN delivery_destination AS destination ON destination.id = status.destination_id ORDER BY event.id`,
    )
    .all({})
}

/** Returns the states of each document at each destination, in their order. */
export function historiesIn(store: Store): Map<string, DeliveryState[]> {
  const histories = new Map<string, DeliveryState[]>()
  for (const { key, destination, state } of eventsIn(store)) {
    const name = `${destination} ${key}`
    histories.set(name, [...(histories.get(name) ?? []), state])
  }
  return histories
}

/** Attempts for a document, where the plan does not say. */
const attemptsMax = 3

/** Returns what breaks the invariants that hold whatever happens. */
export function brokenInvariants(store: Store, fixture: Fixture): string[] {
  const found = [...fixture.wrong]
  for (const [name, states] of historiesIn(store)) {
    if (states[0] !== 'PROCESSING') found.push(`${name} begins with ${states[0]}`)
    states.forEach((to, at) => {
      const from = states[at - 1]
      if (from === undefined || from === to) return
      if (!deliveryStates.moves.some((move) => move.from === from && move.to === to))
        found.push(`${name}: ${from} to ${to}`)
    })
    states.forEach((state, at) => {
      if (state !== 'DEAD' || states[at - 1] !== 'ERROR') return
      const attempts = states.slice(0, at).filter((each) => each !== 'BATCHED' && each !== 'INDEXING')
      const failures = attempts.slice(1 - 2 * attemptsMax).filter((each) => each === 'ERROR').length
      if (failures !== attemptsMax) found.push(`${name} was given up after ${failures} errors`)
    })
  }
  return found
}

/** Returns the documents that are not settled, apart from those whose outcome is unknown. */
export function unsettledIn(store: Store): string[] {
  return [...historiesIn(store)].flatMap(([name, states]) => {
    const last = states.at(-1)
    return last === undefined || last === 'INDEXING' || isTerminalDelivery(last) ? [] : [`${name}: ${last}`]
  })
}
