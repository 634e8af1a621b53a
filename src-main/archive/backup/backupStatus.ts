/** The status of the backups and the problems that need the user. Pure functions of the folder's contents, the recorded attempts and
 *  the settings. */
import { message, type Message } from '../../contract/words/message.ts'
import type { BackupFinding, BackupProgress, BackupStatus, BackupState } from '../../contract/services/backups.ts'
import { goodOf, type Listed } from './backupFolder.ts'
import { lastOf } from './backupRecord.ts'
import { graceMs, nextBackupMs } from './due.ts'
import { isNameOf, manifestName } from './manifest.ts'

export interface BackupSettings {
  /** Absolute path of the backup folder. */
  folder: string
  /** Interval in hours; 0: no schedule. */
  everyHours: number
  keepCount: number
  keepDays: number
}

/** Everything from which the status is derived. */
export interface Seen {
  nowMs: number
  settings: BackupSettings
  state: BackupState
  /** Backups in the folder, newest first; undefined when it cannot be read. */
  listed: readonly Listed[] | undefined
  isApart: boolean | undefined
  hasContent: boolean
  /** When the first and the last file of the archive were stored. */
  stored: { firstMs: number | null; lastMs: number | null }
  /** Whether a schedule makes backups in this process; overdue backups then show as failures. */
  isScheduled: boolean
  running: BackupProgress | undefined
}

/** Status of the backups with all findings. */
export function backupStatusOf(seen: Seen): BackupStatus {
  const { settings, state, listed, nowMs } = seen
  const good = goodOf(listed ?? [])
  const last = listed ? good[0] : state.folder === settings.folder ? (state.last ?? undefined) : undefined
  const isCurrent = last !== undefined && holdsWhatIsStored(seen, last)
  const nextMs = nextBackupMs(settings.everyHours, attemptsOf(seen), nowMs)
  return {
    ...settings,
    reachable: listed ? true : state.folder === settings.folder ? false : null,
    last: last ? lastOf(last) : null,
    kept: good.length,
    bytes: good.reduce((sum, { bytes }) => sum + bytes, 0),
    next: nextMs === undefined ? null : new Date(nextMs).toISOString(),
    apart: seen.isApart ?? null,
    current: isCurrent,
    findings: findingsOf(seen, { last, isCurrent }),
    running: seen.running ?? null,
  }
}

/** Input of the schedule, from recorded data only, so that no sleeping drive is woken. */
export function attemptsOf({ settings, state, hasContent }: Pick<Seen, 'settings' | 'state' | 'hasContent'>) {
  const { folder } = settings
  const { last, failure } = state
  return {
    hasContent,
    // A newly configured folder holds no backups yet.
    confirmedMs: last && state.folder === folder ? Date.parse(last.confirmed) : null,
    failure: failure && failure.folder === folder ? { atMs: Date.parse(failure.at), tries: failure.tries } : null,
  }
}

interface Confirmed {
  made: string
  confirmed: string
}

function holdsWhatIsStored({ nowMs, settings, stored }: Seen, { made, confirmed }: Confirmed): boolean {
  if (nowMs - Date.parse(confirmed) <= graceMs(settings.everyHours)) return true
  return stored.lastMs === null || stored.lastMs <= Date.parse(made)
}

function findingsOf(seen: Seen, now: { last: Confirmed | undefined; isCurrent: boolean }): BackupFinding[] {
  const { state, settings, listed } = seen
  const about = (kind: BackupFinding['kind'], problem: Message, name: string | null = null) => ({
    ...{ kind, name },
    message: problem,
  })
  const { damage, failure } = state
  return [
    ...(damage ? [about('database', damage.message)] : []),
    ...(failure && failure.folder === settings.folder && !damage ? [about('failed', failure.message)] : []),
    ...(isOverdue(seen, now.isCurrent) ? [about('overdue', overdueMessage(now.last))] : []),
    ...(listed ?? []).flatMap((each) => {
      const problem = fileFinding(each, state.archive)
      return each.state === 'good' || each.state === 'otherArchive' || problem === undefined
        ? []
        : [about(each.state, problem, each.name)]
    }),
  ]
}

function isOverdue({ settings, stored, isScheduled, nowMs }: Seen, isCurrent: boolean): boolean {
  if (isScheduled || isCurrent || settings.everyHours === 0 || stored.firstMs === null) return false
  return nowMs - stored.firstMs > graceMs(settings.everyHours)
}

function overdueMessage(last: Confirmed | undefined): Message {
  return last ? message('backup.overdue.old', { date: last.made.slice(0, 10) }) : message('backup.overdue.none')
}

/** Problem of a file and advice; undefined when there is none, or when the file does not concern this archive. */
function fileFinding({ name, state, problem }: Listed, archive: string | null): Message | undefined {
  if (problem === null) return undefined
  const manifest = manifestName(name)
  switch (state) {
    case 'damaged':
      return message('backup.finding.damaged', { problem, name, manifest })
    case 'missing':
      return message('backup.finding.missing', { problem, manifest })
    case 'unreadable':
      return archive !== null && isNameOf(archive, name)
        ? message('backup.finding.unreadable', { problem, name, manifest })
        : undefined
    default:
      return undefined
  }
}
