/** Runs one scanner of a plan: first what is stranded, then scans, one at a time, while what waits in the database is begun again. */
import type { DeliveryStep } from '../../contract/services/deliveryPlan.ts'
import { sleepUnlessAborted } from '../../world/sleepUnlessAborted.ts'
import type { Message } from '../../contract/words/message.ts'
import { lookMs, refeedMs } from '../model/limits.ts'
import type { Scanner } from '../model/steps.ts'
import type { PlanScanner } from '../plan/plans.ts'
import { statusStatements } from '../status/status.sql.ts'
import type { DestinationQueue } from './destinationQueue.ts'
import type { EngineSetting } from './engineSetting.ts'
import { flow } from './flow.ts'
import { gate, onTheWay } from './onTheWay.ts'
import { refeed } from './refeed.ts'
import type { RunCounts } from './runCounts.ts'
import { scanning } from './scanning.ts'

interface ScannerSetting extends Omit<EngineSetting, 'onUnknown'> {
  planned: PlanScanner
  scanner: Scanner
  /** Step of each destination, by the id of the destination. */
  stepOf: ReadonlyMap<number, DeliveryStep>
  queueOf: (step: string) => DestinationQueue
  counts: RunCounts
  onUnknown(document: string, destination: number, count: number): void
  onScanFailed(scanner: string, why: Message): void
  signal: AbortSignal
}

/** Runs until the signal is aborted or, where the scanner has no interval, until every document is settled. */
export async function runScanner(setting: ScannerSetting): Promise<void> {
  const { store, clock, writer, write, planned, scanner, counts, signal, onBug } = setting
  const { step } = planned.start
  const { attemptsMax, intervalSeconds } = step
  const ids = [...planned.destinations.values()]
  const sql = statusStatements(store)
  const live = onTheWay()
  const entrance = gate()
  const claimed = new Set<number>()
  let isParked = false
  const next = flow({
    ...{ inTime: setting.inTime, writer, write, live, counts, onBug, attempts: { attemptsMax }, scanner: planned.id },
    ...{ destinations: planned.destinations, processorOf: setting.processorOf, queueOf: setting.queueOf },
    onParked: () => void (isParked = true),
    onUnknown: ({ document }, destination) => setting.onUnknown(document.id, destination, 1),
  })
  const onward: typeof next = (copy, place) => {
    if (copy.open.size > 0) counts.settled(step.name, 'done')
    return next(copy, place)
  }
  const stranded = refeed({
    ...{ store, clock, scanner, writer, write, live, gate: entrance, claimed, onward, onBug, signal },
    ...{ start: planned.start, attempts: { attemptsMax } },
    destinations: ids.flatMap((id) => {
      const to = setting.stepOf.get(id)
      return to ? [{ id, hasRoom: () => !setting.queueOf(to.name).isFull, retryDelayMs: to.retryDelayMs }] : []
    }),
  })

  const { scan, compareMarked } = scanning({
    ...{ ...setting, ids, live, claimed, gate: entrance, onward, remembering: step },
    onFailed: (why) => setting.onScanFailed(step.name, why),
  })

  async function refeedAgain(until: AbortSignal): Promise<void> {
    while (!until.aborted) {
      await sleepUnlessAborted(clock, isParked ? refeedMs : lookMs, until)
      isParked = false
      if (!until.aborted && (await stranded.pass({ all: false })) === 'full') isParked = true
    }
  }

  /** Returns when no document is on its way or waits. */
  async function drain(): Promise<void> {
    while (!signal.aborted) {
      await stranded.pass({ all: true })
      if (entrance.isEmpty && claimed.size === 0 && live.isEmpty && !stranded.hasWaiting()) return
      await sleepUnlessAborted(clock, refeedMs, signal)
    }
  }

  async function scans(): Promise<void> {
    for (const destination of ids) {
      const count = sql.unknownOutcomes.get({ destination })?.count ?? 0
      if (count > 0) setting.onUnknown('', destination, count)
    }
    while (!signal.aborted) {
      const beganMs = clock.elapsed()
      await stranded.pass({ all: true })
      await compareMarked()
      await scan()
      if (intervalSeconds === undefined) return drain()
      await sleepUnlessAborted(clock, Math.max(0, beganMs + intervalSeconds * 1000 - clock.elapsed()), signal)
    }
  }

  const done = new AbortController()
  const refeeding = refeedAgain(AbortSignal.any([signal, done.signal]))
  await Promise.race([scans(), refeeding])
  done.abort()
}
