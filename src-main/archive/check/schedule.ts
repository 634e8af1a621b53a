/** The schedule of bit preservation: background checks while Loupe runs. A pure function decides what is due from the records of past
 *  checks, so the schedule keeps no state of its own and an interrupted check continues where it stopped. It runs one check at a time,
 *  at a limited rate, and gives way to checks by the user. */
import { Fault } from '../../contract/calls/faults.ts'
import type { CheckKind } from '../../contract/shapes/taskKinds.ts'
import { scheduledStep } from '../../contract/states/taskStates.ts'
import { sleepUnlessAborted } from '../../world/sleepUnlessAborted.ts'
import type { Store } from '../../storage/storage.ts'
import type { World } from '../../world/world.ts'
import type { Tasks } from '../../tasks/tasks.ts'
import { believedTime } from '../files/believedTime.ts'
import { clockDoubtMs, scheduleFirstCheckMs, scheduleCheckMs, scheduleRetryMs } from '../files/limits.ts'
import type { Preservation } from './preservation.ts'
import { scheduleStatements, type LastCheck, type LastSpots } from './schedule.sql.ts'
import type { SpotChecks } from './spotChecks.ts'

/** Intervals in days; 0: never. */
export interface Rhythm {
  missingDays: number
  checksumsDays: number
  /** Number of files that a scheduled checksum check reads, chosen at random; 0: all. */
  checksumsSample: number
  spotDays: number
  spotFiles: number
}

/** Past checks from which the schedule decides. */
export interface History {
  /** When the first file was stored: intervals start there, so a new archive has nothing overdue. */
  firstStoredMs: number | null
  missing: { own: LastCheck | undefined; wholeEndedMs: number | null }
  checksums: { own: LastCheck | undefined; wholeEndedMs: number | null }
  spots: LastSpots
}

/** Action that is due: resume a check, start a check, or run a spot check. */
export type DueAction = { action: 'resume'; check: number } | { action: 'check'; kind: CheckKind } | { action: 'spots' }

const dayMs = 86_400_000

/** Returns the next action that is due, cheapest first: checks for missing files, then spot checks, then full checksum checks. */
export function dueAction(rhythm: Rhythm, history: History, nowMs: number): DueAction | undefined {
  const { firstStoredMs } = history
  if (firstStoredMs === null) return undefined
  const isPast = (lastMs: number | null, days: number) =>
    nowMs - (believedTime(lastMs, nowMs) ?? believedTime(firstStoredMs, nowMs) ?? 0) >= days * dayMs
  const checkDue = (kind: CheckKind, days: number): DueAction | undefined => {
    const { own, wholeEndedMs } = history[kind]
    if (days === 0) return undefined
    const step = own ? scheduledStep(own.state) : 'repeats'
    if (own && step !== 'repeats') {
      // A check that keeps failing, as when a drive is disconnected or left the settings, no longer covers the other replicas; nor does one
      // that the user has paused. After a full interval a new check of all replicas is started.
      const isReplaceable = step === 'retries' || step === 'replaces'
      if (isReplaceable && isPast(own.startedMs, days)) return { action: 'check', kind }
      const isRetryDue = nowMs - (believedTime(own.endedMs, nowMs) ?? 0) >= scheduleRetryMs
      const isToResume = step === 'resumes' || (step === 'retries' && isRetryDue)
      return isToResume ? { action: 'resume', check: own.id } : undefined
    }
    const lastMs =
      Math.max(believedTime(wholeEndedMs, nowMs) ?? 0, believedTime(own?.endedMs ?? null, nowMs) ?? 0) || null
    return isPast(lastMs, days) ? { action: 'check', kind } : undefined
  }
  const spotsDue = (days: number): DueAction | undefined => {
    const { answeredMs, triedMs } = history.spots
    // A spot check that no replica answered is repeated sooner than after a full interval, but not at every look.
    const isTried = nowMs - (believedTime(triedMs, nowMs) ?? 0) < scheduleRetryMs
    return days > 0 && isPast(answeredMs, days) && !isTried ? { action: 'spots' } : undefined
  }
  return (
    checkDue('missing', rhythm.missingDays) ?? spotsDue(rhythm.spotDays) ?? checkDue('checksums', rhythm.checksumsDays)
  )
}

export interface ScheduleParts {
  preservation: Pick<Preservation, 'check' | 'ended'>
  tasks: Pick<Tasks, 'resume'>
  spotChecks: SpotChecks
  /** Names of the replicas in the current settings; removed replicas are no longer checked. */
  replicas: readonly string[]
  store: Store
  world: World
  /** Called each time the schedule looks for due checks, so that changed settings take effect. */
  rhythm: () => Rhythm
  /** Called with an unexpected error (a bug); the schedule continues. */
  onBug: (error: unknown) => void
}

export interface Schedule {
  /** Stops the schedule without ending running checks. */
  close(): Promise<void>
}

/** Starts the schedule. It first looks for due checks `scheduleFirstCheckMs` after the start. */
export function openSchedule({
  preservation,
  tasks,
  spotChecks,
  replicas,
  store,
  world,
  rhythm,
  onBug,
}: ScheduleParts): Schedule {
  const statements = scheduleStatements(store)
  const stopper = new AbortController()
  const { signal } = stopper
  /** Resolves when the schedule closes. A running check continues until the tasks are closed. */
  const closed = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))

  function history(): History {
    const untilMs = world.clock.now() + clockDoubtMs
    const of = (kind: CheckKind) => ({
      own: statements.lastOwn.get({ kind }),
      wholeEndedMs: statements.lastWhole.get({ kind, untilMs, replicas: JSON.stringify(replicas) })?.endedMs ?? null,
    })
    return {
      firstStoredMs: statements.firstStored.get({})?.storedMs ?? null,
      missing: of('missing'),
      checksums: of('checksums'),
      spots: statements.lastSpots.get({ untilMs }) ?? { answeredMs: null, triedMs: null },
    }
  }

  async function perform(due: DueAction): Promise<void> {
    const { checksumsSample, spotFiles } = rhythm()
    if (due.action === 'spots') {
      await Promise.race([spotChecks.run({ files: spotFiles, by: 'schedule' }), closed])
    } else {
      const sample =
        due.action === 'check' && due.kind === 'checksums' && checksumsSample > 0 ? checksumsSample : undefined
      const { task } =
        due.action === 'resume'
          ? await tasks.resume(due.check, 'schedule')
          : await preservation.check({ kind: due.kind, sample }, 'schedule')
      await Promise.race([preservation.ended(task), closed])
    }
  }

  async function startDue(): Promise<void> {
    const due = dueAction(rhythm(), history(), world.clock.now())
    if (!due) return
    try {
      await perform(due)
    } catch (error) {
      if (signal.aborted) return
      // A check by the user covers the same replica; the scheduled one is still due the next time.
      if (!(error instanceof Fault)) onBug(error)
    }
  }

  async function runAtIntervals(): Promise<void> {
    for (let waitMs = scheduleFirstCheckMs; !signal.aborted; waitMs = scheduleCheckMs) {
      await sleepUnlessAborted(world.clock, waitMs, signal)
      if (!signal.aborted) await startDue()
    }
  }

  const whole = runAtIntervals().catch(onBug)
  return {
    async close() {
      stopper.abort()
      await whole
    },
  }
}
