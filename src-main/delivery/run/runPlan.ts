/** Runs a version of a plan. There is no shutdown code: a stop and a kill leave the same state, and the next start begins with what it finds
 *  stranded. */
import type { DeliveryState } from '../../contract/states/deliveryStates.ts'
import type { Message } from '../../contract/words/message.ts'
import { unlessAborted } from '../../world/unlessAborted.ts'
import type { Destination, Processor, Scanner, StepEnvironment, StepKinds } from '../model/steps.ts'
import { completeVersion } from '../plan/keeping.ts'
import type { PlanScanner, PlanVersion } from '../plan/plans.ts'
import { groupCommit } from '../status/groupCommit.ts'
import { statusStatements } from '../status/status.sql.ts'
import type { LastingFailure } from '../status/settling.ts'
import { statusWriter } from '../status/statusWriter.ts'
import { destinationQueue, type DestinationQueue } from './destinationQueue.ts'
import type { EngineSetting } from './engineSetting.ts'
import { timeLimits, type InTime } from './inTime.ts'
import { runCounts, type RunProgress } from './runCounts.ts'
import { runScanner } from './runScanner.ts'

/** What a plan reports while it runs. */
export type DeliveryReport =
  /** A document was given up or is refused for good: DEAD or ERROR_DOC. */
  | { kind: 'failed'; document: string; destination: string; state: DeliveryState; why: Message | null }
  /** It is not known whether documents have arrived, and they are not sent again. `document` is '' for those of an earlier run. */
  | { kind: 'unknown'; document: string; destination: string; count: number }
  /** A scan has ended early; the next one begins as planned. */
  | { kind: 'scanFailed'; scanner: string; why: Message }

/** A version of a plan that is run. */
export interface PlanRun {
  environment: StepEnvironment
  kinds: StepKinds
  version: PlanVersion
  scanners: readonly PlanScanner[]
  onReport(report: DeliveryReport): void
  /** Called at most once per second. */
  /** Absent: nobody watches the counts. */
  onProgress?(progress: RunProgress): void
  signal: AbortSignal
}

/** Runs until the signal is aborted or, where no scanner has an interval, until every document is settled. Rejects with bugs, and with
 *  `StorageFault`: a restart goes on from there. */
export async function runPlan({
  environment,
  kinds,
  version,
  scanners,
  onReport,
  onProgress = () => undefined,
  signal: stopped,
}: PlanRun): Promise<void> {
  const { store, world } = environment
  const { clock } = world
  const over = new AbortController()
  const signal = AbortSignal.any([stopped, over.signal])
  const bug = Promise.withResolvers<never>()
  const lasting: LastingFailure[] = []
  const sql = statusStatements(store)
  const names = new Map(scanners.flatMap(({ destinations }) => [...destinations].map(([name, id]) => [id, name])))
  const writer = statusWriter({ store, clock, onLasting: (failure) => void lasting.push(failure) })
  const group = groupCommit({ store, clock, signal })

  async function write<Result>(act: () => Result): Promise<Result> {
    const result = await group.write(act)
    for (const { document, destination, ...failure } of lasting.splice(0)) {
      const id = sql.keyOf.get({ id: document })?.key ?? ''
      onReport({ kind: 'failed', document: id, destination: names.get(destination) ?? '', ...failure })
    }
    return result
  }

  const inTime = timeLimits(clock, bug.reject)
  const counts = runCounts(version.plan.steps)
  const opened = openSteps({ environment, kinds, version, inTime })
  const setting: EngineSetting = {
    ...{ store, clock, writer, write, inTime, onBug: bug.reject },
    processorOf: (step) => of(opened.processors, step),
    onUnknown: (document, destination, count) => onReport({ kind: 'unknown', document, destination, count }),
  }
  const runScanners = () =>
    scanners.map((planned) =>
      runScanner({
        ...{ ...setting, planned, counts, signal, scanner: of(opened.scanners, planned.name) },
        stepOf: stepsOf(planned),
        queueOf: (step) => of(opened.queues, step),
        onUnknown: (document, id, count) => setting.onUnknown(document, names.get(id) ?? '', count),
        onScanFailed: (scanner, why) => onReport({ kind: 'scanFailed', scanner, why }),
      }),
    )
  try {
    // A kill may have interrupted the copying.
    await completeVersion({ store, clock }, version.id, stopped)
    const sending = [...opened.queues.values()].map((queue) => queue.run(signal))
    const running = runScanners()
    for (const each of [...sending, ...running, counts.reportAgain(clock, onProgress, signal)]) each.catch(bug.reject)
    await unlessAborted(Promise.race([Promise.all(running), bug.promise]), stopped)
  } catch (error) {
    if (!stopped.aborted) throw error
  } finally {
    over.abort(new Error('the plan has ended'))
    counts.report(onProgress)
  }
}

function of<Value>(map: ReadonlyMap<string, Value>, name: string): Value {
  const value = map.get(name)
  if (value === undefined) throw new Error(`the plan has no step ${name}`)
  return value
}

/** Returns the step of each destination, by the id of the destination. */
function stepsOf({ start, destinations }: PlanScanner) {
  const found = new Map([[start, start.step]])
  for (const [place] of found) for (const next of place.next) found.set(next, next.step)
  return new Map(
    [...found.keys()].flatMap(({ destination, step }) => {
      const id = destination === undefined ? undefined : destinations.get(destination)
      return id === undefined ? [] : [[id, step] as const]
    }),
  )
}

/** Opens each step of the plan once: places and scanners share it. */
function openSteps({
  environment,
  kinds,
  version: { plan },
  inTime,
}: Pick<PlanRun, 'environment' | 'kinds' | 'version'> & { inTime: InTime }) {
  const scanners = new Map<string, Scanner>()
  const processors = new Map<string, Processor>()
  const queues = new Map<string, DestinationQueue>()
  for (const { name, kind: kindName, settings, ...step } of plan.steps) {
    const kind = kinds[kindName]
    if (kind?.role === 'scanner') scanners.set(name, kind.open(settings, environment))
    else if (kind?.role === 'processor') processors.set(name, kind.open(settings, environment))
    else if (kind) queues.set(name, queueFor(kind.open(settings, environment), { ...kind, ...given(step) }))
  }
  return { scanners, processors, queues }

  function queueFor(
    destination: Destination,
    { guarantee, batchMax, requestsMax: atOnceMax, batchDelayMs, timeoutMs }: Times & { requestsMax?: number },
  ) {
    const { clock } = environment.world
    return destinationQueue({ clock, inTime, destination, guarantee, batchMax, atOnceMax, batchDelayMs, timeoutMs })
  }
}

type Times = Omit<Parameters<typeof destinationQueue>[0], 'clock' | 'inTime' | 'destination' | 'atOnceMax'>

/** Returns the fields that have a value. */
function given<Of extends object>(fields: Of): { [Name in keyof Of]: Exclude<Of[Name], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never
}
