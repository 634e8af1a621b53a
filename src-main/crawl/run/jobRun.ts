/** Runs one job: takes the turns that the queue gives it until nothing is left, a limit is reached or it is stopped. It
 *  changes no job state; the loops do. */
import { message } from '../../contract/words/message.ts'
import { repositoryOf } from '../capture/connectors/registry.ts'
import { withThrottlesOf } from '../connections/namedConnections.ts'
import type { Changed } from '../frontier/counts.ts'
import { frontierStatements } from '../frontier/frontier.sql.ts'
import type { ReadyDocument } from '../frontier/readyDocuments.ts'
import type { JobSlot } from '../frontier/servers.ts'
import { termsOf } from '../frontier/slotTerms.ts'
import { alarmOf, type Alarm } from '../model/alarm.ts'
import { uncommittedBytesMax, uncommittedCountMax } from '../model/limits.ts'
import { documentTurns } from './documentTurns.ts'
import { openRun, type OpenRun } from './openRun.ts'
import { runProgress, type RunProgress } from './runProgress.ts'
import type { RunEnd, RunSetting } from './runSetting.ts'

/** Interval at which a waiting run checks whether a user has changed its budgets or rules. */
const checkChangesMs = 500

/** Runs one segment. Resolves when nothing is in flight any more and every claimed document is settled or queued again.
 *  Rejects with `DiskFault` or `StorageFault` if results cannot be stored; nothing that was committed is lost. */
export async function runJob(setting: RunSetting): Promise<RunEnd> {
  const { world, job, settings, queue } = setting
  const connector = repositoryOf(setting.definition)
  const { repository } = setting.connections
  const definition = withThrottlesOf(connector.inForce(setting.definition), repository)
  const terms = termsOf(definition, settings, connector)
  const connection = repository && setting.shared.repositories.join(repository.name, repository.connectionsMax)
  const progress = runProgress(definition, setting)
  const alarm = alarmOf(world)
  const inFlight = turnsInFlight(() => {
    progress.requestEnded()
    alarm.ring()
    queue.alarms.feeder.ring()
  })
  const run = openRun(setting, {
    ...{ connector, definition, terms, onCommitted, onReceived: progress.received },
    onFault: (error) => {
      inFlight.fail(error)
      alarm.ring()
    },
    jobPriority: () => slot.priority,
  })
  const turns = documentTurns(setting, run)
  const slot: JobSlot = {
    ...terms,
    job,
    workers: Math.min(terms.workers, repository?.connectionsMax ?? Infinity),
    priority: setting.priority,
    askedUntilMs: setting.isContinued ? world.clock.elapsed() : -Infinity,
    ...(connection && { connection }),
    ...(run.order && { placeNext: run.order.place }),
    mayStart,
    forgetKnown: () => run.frontier.forget(),
    hostStatus: (origin, document) => run.order?.hostStatus(document) ?? run.live.hostStatus(origin),
  }

  function onCommitted({ counts, hasNews }: Changed): void {
    progress.add(counts)
    if (hasNews) queue.news()
    setting.onProgress()
  }

  /** Tells whether another turn may begin. Results that wait for their commit count too, so that a slow disk does not fill
   *  the memory; nothing begins under a definition that was changed. */
  function mayStart(): boolean {
    return (
      turns.fetchingCount < terms.workers &&
      connection?.hasRoom() !== false &&
      inFlight.count < terms.workers + uncommittedCountMax &&
      run.committer.waitingBytes < uncommittedBytesMax &&
      // In a scheduled order, a document only has a number if the limit has room for it.
      (run.order !== undefined || progress.hasRoom(inFlight.count)) &&
      !setting.isOutdated()
    )
  }

  if (run.range?.isDerived) setting.log('info', message('jobLog.depth.approximate'))
  run.committer.follow()
  if (run.order) {
    // Seeds and documents of earlier runs have positions; in a scheduled order they stand in the line of the job.
    await queue.displace(job, setting.signal)
    await run.order.open().catch(inFlight.fail)
  }
  queue.join(slot, (ready: ReadyDocument) => inFlight.add(turns.take(ready)))
  const onStop = () => {
    run.abort.abort()
    alarm.ring()
  }
  setting.signal.addEventListener('abort', onStop)
  const end = await untilEnd(setting, { run, progress, inFlight, alarm, onCommitted }).catch(
    (error: unknown): RunEnd => {
      inFlight.fail(error)
      return 'stopped'
    },
  )
  queue.leave(job)
  // At a limit of time and at a stop, requests in flight are aborted; at any other end they are completed.
  if (end === 'TIME_LIMIT' || end === 'NO_RESPONSE' || end === 'stopped') run.abort.abort()
  await inFlight.allEnded()
  const isOver = end !== 'stopped' && end !== 'renewed'
  await (isOver ? run.order?.flush() : run.order?.close())?.catch(inFlight.fail)
  // A fault may have interrupted a turn before it gave the connection back.
  connection?.leave()
  queue.alarms.feeder.ring()
  setting.signal.removeEventListener('abort', onStop)
  await run.close().catch((error: unknown) => {
    inFlight.fail(error)
  })
  inFlight.throwFault()
  return end
}

interface RunLoop {
  run: Pick<OpenRun, 'live' | 'outOfScope'>
  progress: RunProgress
  inFlight: TurnsInFlight
  alarm: Alarm
  onCommitted(changed: Changed): void
}

/** Resolves with the reason why no further turn is to begin. */
async function untilEnd(
  setting: RunSetting,
  { run, progress, inFlight, alarm, onCommitted }: RunLoop,
): Promise<RunEnd> {
  const { world, job, queue, signal } = setting
  const { anyWaiting } = frontierStatements(setting.store)
  for (;;) {
    if (signal.aborted || inFlight.hasFailed) return 'stopped'
    if (setting.isOutdated()) return 'renewed'
    const limit = progress.limitReached(inFlight.count)
    if (limit) return limit
    if (run.live.sweep()) {
      await world.clock.sleep(0)
      continue
    }
    if (inFlight.count === 0 && queue.isEmptyFor(job) && !anyWaiting.get({ job })) {
      const changed = run.outOfScope.queueInScope()
      if (!changed) return 'DOWNLOAD_COMPLETE'
      onCommitted(changed)
      continue
    }
    await alarm.wait(Math.min(progress.msLeft(), checkChangesMs))
  }
}

/** The turns in progress, and the first fault in one of them. */
interface TurnsInFlight {
  readonly count: number
  readonly hasFailed: boolean
  add(turn: Promise<void>): void
  fail(error: unknown): void
  /** Resolves when none is in progress. */
  allEnded(): Promise<void>
  /** Throws the first fault, if there was one. */
  throwFault(): void
}

function turnsInFlight(onTurnEnded: () => void): TurnsInFlight {
  const all = new Set<Promise<void>>()
  let fault: { error: unknown } | undefined
  const fail = (error: unknown) => {
    fault ??= { error }
  }
  return {
    get count() {
      return all.size
    },
    get hasFailed() {
      return fault !== undefined
    },
    add(turn) {
      const ended = turn.catch(fail).finally(() => {
        all.delete(ended)
        onTurnEnded()
      })
      all.add(ended)
    },
    fail,
    async allEnded() {
      while (all.size > 0) await Promise.all(all)
    },
    throwFault() {
      if (fault) throw fault.error
    },
  }
}
