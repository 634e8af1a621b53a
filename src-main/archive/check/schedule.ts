/** The schedule of bit preservation: what is done in quiet while Loupe runs, and when. What is due is decided purely, from
 *  what the checks themselves wrote down, so a schedule needs no memory of its own and a killed one goes on where the
 *  check stopped. It never hurries: one action at a time, held down to its pace, and a person's check goes first. */
import type { Store } from '../../storage/storage.ts'
import type { World } from '../../world/world.ts'
import { ArchiveFault } from '../files/archiveFault.ts'
import { believedTime } from '../files/believedTime.ts'
import { clockDoubtMs, scheduleFirstLookMs, scheduleLookMs, scheduleRetryMs } from '../files/limits.ts'
import type { Preservation } from './preservation.ts'
import type { CheckKind } from './preservation.sql.ts'
import { scheduleStatements, type LastCheck } from './schedule.sql.ts'
import type { SpotChecks } from './spotChecks.ts'

/** How often; 0 is never. */
export interface Rhythm {
  missingDays: number
  checksumsDays: number
  /** How many files a scheduled check of checksums reads, chosen by chance; 0: all. */
  checksumsSample: number
  spotDays: number
  spotFiles: number
}

export interface History {
  /** When the first file was stored: nothing is overdue in an archive of yesterday. */
  firstStoredMs: number | null
  missing: { own: LastCheck | undefined; wholeEndedMs: number | null }
  checksums: { own: LastCheck | undefined; wholeEndedMs: number | null }
  spotStartedMs: number | null
}

export type DueAction = { action: 'takeUp'; check: number } | { action: 'check'; kind: CheckKind } | { action: 'spots' }

const dayMs = 86_400_000

/** Looking whether files are there costs next to nothing, so it comes first; reading everything comes last. */
export function dueAction(rhythm: Rhythm, history: History, nowMs: number): DueAction | undefined {
  const { firstStoredMs } = history
  if (firstStoredMs === null) return undefined
  const isPast = (lastMs: number | null, days: number) =>
    nowMs - (believedTime(lastMs, nowMs) ?? believedTime(firstStoredMs, nowMs) ?? 0) >= days * dayMs
  const checkDue = (kind: CheckKind, days: number): DueAction | undefined => {
    const { own, wholeEndedMs } = history[kind]
    if (days === 0) return undefined
    // What fails day after day, for a drive that is away or has left the settings, looks no more at the replicas that are
    // there: when their turn comes again, so does a new check of all.
    if (own?.state === 'FAILED' && isPast(own.startedMs, days)) return { action: 'check', kind }
    if (own && isToBeTakenUp(own, nowMs)) return { action: 'takeUp', check: own.id }
    if (own?.state === 'RUNNING' || own?.state === 'FAILED') return undefined
    const lastMs =
      Math.max(believedTime(wholeEndedMs, nowMs) ?? 0, believedTime(own?.endedMs ?? null, nowMs) ?? 0) || null
    return isPast(lastMs, days) ? { action: 'check', kind } : undefined
  }
  return (
    checkDue('missing', rhythm.missingDays) ??
    (rhythm.spotDays > 0 && isPast(history.spotStartedMs, rhythm.spotDays) ? { action: 'spots' } : undefined) ??
    checkDue('checksums', rhythm.checksumsDays)
  )
}

/** What the end of Loupe or a person's check put aside goes on; what a person stopped waits for its next turn; what failed,
 *  for a drive that was away say, is tried again now and then. */
function isToBeTakenUp({ state, endedMs, isDeferred }: LastCheck, nowMs: number): boolean {
  if (state === 'STOPPED') return isDeferred === 1
  return state === 'FAILED' && nowMs - (believedTime(endedMs, nowMs) ?? 0) >= scheduleRetryMs
}

export interface ScheduleParts {
  preservation: Preservation
  spotChecks: SpotChecks
  /** Their names, as they are in the settings now: one that left them is checked no more. */
  replicas: readonly string[]
  store: Store
  world: World
  /** Asked at each look: a changed setting counts from then on. */
  rhythm: () => Rhythm
  /** Told of what should not have happened; the schedule goes on. */
  onBug: (error: unknown) => void
}

export interface Schedule {
  /** Ends the work without ending the checks. */
  close(): Promise<void>
}

export function openSchedule({
  preservation,
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
  /** Does not end a running check; closing preservation does. */
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
      spotStartedMs: statements.lastSpot.get({ untilMs })?.startedMs ?? null,
    }
  }

  async function perform(due: DueAction): Promise<void> {
    const { checksumsSample, spotFiles } = rhythm()
    if (due.action === 'spots') {
      await spotChecks.run({ files: spotFiles, by: 'schedule', signal })
    } else {
      const sample =
        due.action === 'check' && due.kind === 'checksums' && checksumsSample > 0 ? checksumsSample : undefined
      const { check } =
        due.action === 'takeUp'
          ? await preservation.resume(due.check, 'schedule')
          : await preservation.check({ kind: due.kind, sample }, 'schedule')
      await Promise.race([preservation.ended(check), closed])
    }
  }

  async function look(): Promise<void> {
    const due = dueAction(rhythm(), history(), world.clock.now())
    if (!due) return
    try {
      await perform(due)
    } catch (error) {
      if (signal.aborted) return
      // A person's check is looking at the same replica: it is still due at the next look.
      if (!(error instanceof ArchiveFault)) onBug(error)
    }
  }

  async function lookNowAndThen(): Promise<void> {
    for (let waitMs = scheduleFirstLookMs; !signal.aborted; waitMs = scheduleLookMs) {
      const isDue = await world.clock.sleep(waitMs, signal).then(
        () => true,
        () => false,
      )
      if (isDue) await look()
    }
  }

  const whole = lookNowAndThen().catch(onBug)
  return {
    async close() {
      stopper.abort()
      await whole
    },
  }
}
