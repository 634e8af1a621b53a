/** The backups of an archive's database: makes, lists and verifies them, and removes outdated ones. One action runs at a time; a
 *  request for a backup during another one gets the result of that one. `backupSchedule.ts` decides when backups are made;
 *  `restore.ts` restores one, with the archive closed. */
import type {
  BackupMade,
  BackupProgress,
  BackupRow,
  BackupStanding,
  BackupState,
} from '../../contract/services/backups.ts'
import { Fault } from '../../contract/calls/faults.ts'
import { StorageFault, type Store } from '../../storage/storage.ts'
import { DiskFault, type World } from '../../world/world.ts'
import { ArchiveFault } from '../files/archiveFault.ts'
import type { ArchiveLimits } from '../files/limits.ts'
import { nowAndThen, paceOf } from '../files/readThrough.ts'
import { undefinedOnFault } from '../files/undefinedWhen.ts'
import { sentence } from '../files/sentence.ts'
import { backupStatements } from './backup.sql.ts'
import { isApart, listBackups, removeBackup, type Listed, type Surroundings } from './backupFolder.ts'
import { attemptsOf, standingOf, type BackupSettings } from './backupStatus.ts'
import { databaseCopy, type DatabaseCopy } from './databaseCopy.ts'
import type { Attempts } from './due.ts'
import { DatabaseDamaged, makeBackup, removeSnapshot, verifiedByReading, type MakeParts } from './makeBackup.ts'
import type { Manifest } from './manifest.ts'
import { outdated } from './retention.ts'
import { readState, writeState } from './stateFile.ts'
import { rowOf, verifyBackups } from './verifyBackups.ts'
import { messageOf } from '../../contract/text/messageOf.ts'
import { emitter } from '../../contract/calls/emitter.ts'

export interface BackupsParts {
  world: World
  store: Store
  databasePath: string
  archiveFolder: string
  software: string
  replicas: Surroundings['replicas']
  /** Called for each action, so that changed settings take effect. */
  settings: () => BackupSettings
  limits: ArchiveLimits
  /** Tables with secrets, whose rows are left out of backups. */
  leftOut: readonly string[]
  /** Whether a schedule makes backups in this process. */
  isScheduled: boolean
  /** Called with problems that occurred outside of a call. */
  onProblem: (error: unknown) => void
  /** Another way to copy the database, for tests in a world without a real disk. */
  copy?: DatabaseCopy
}

export interface MakeRequest {
  by: 'person' | 'schedule'
  /** Accepts a folder without any of the backups made in it; the caller has made sure that it is the right one. */
  emptied?: boolean
}

export interface Backups {
  status(): Promise<BackupStanding>
  /** Backups, newest first. Rejects with `Fault` when the folder cannot be read. */
  list(): Promise<BackupRow[]>
  /** Makes a backup. Rejects with `Fault`, `DiskFault` or `StorageFault` after recording the failure. */
  make(request: MakeRequest): Promise<BackupMade>
  /** Verifies one backup, or all of this archive. */
  verify(name?: string): Promise<BackupRow[]>
  /** Recorded attempts, the input of the schedule. */
  attempts(): Attempts
  onChange(listener: (change: { running: BackupProgress | null }) => void): () => void
  /** Stops the running action. */
  close(): Promise<void>
}

const nothingYet: BackupState = { archive: null, folder: null, last: null, failure: null, damage: null }

/** Opens the backups. In a process with a schedule, removes a snapshot left by a crash. */
export async function openBackups(parts: BackupsParts): Promise<Backups> {
  const { world, store, databasePath, archiveFolder, software, limits } = parts
  const { disk } = world
  const statements = backupStatements(store)
  const copy = parts.copy ?? databaseCopy(world, { source: databasePath, leftOut: parts.leftOut })
  const surroundings: Surroundings = { archiveFolder, replicas: parts.replicas }
  const makeParts: MakeParts = { world, copy, databasePath, surroundings, software, freeBytesMin: limits.freeBytesMin }
  const stopper = new AbortController()
  const changes = emitter<{ running: BackupProgress | null }>()
  let state = (await readState(disk, archiveFolder)) ?? nothingYet
  let running: BackupProgress | undefined
  let making: Promise<BackupMade> | undefined
  /** Controller of the verification that runs in the background after a scheduled backup. */
  let quietWork: AbortController | undefined
  let lastTurn: Promise<unknown> = Promise.resolve()
  // A snapshot left by a crash contains the sessions of that moment.
  if (parts.isScheduled) await removeSnapshot(world, databasePath).catch(told)

  function told(error: unknown): void {
    if (!(error instanceof DiskFault)) throw error
    parts.onProblem(error)
  }

  function inTurn<T>(act: () => Promise<T>): Promise<T> {
    const turn = lastTurn.then(() => {
      stopper.signal.throwIfAborted()
      return act()
    })
    lastTurn = turn.catch(() => undefined)
    return turn.finally(() => tell(undefined))
  }

  function tell(progress: BackupProgress | undefined): void {
    running = progress
    changes.emit({ running: progress ?? null })
  }
  const tellNowAndThen = nowAndThen(world.clock, tell)
  const onProgress = (progress: BackupProgress) => (progress.phase === running?.phase ? tellNowAndThen : tell)(progress)

  function identity(): string {
    const known = statements.identity.get({})?.id
    if (known === undefined) throw new Error('the row of the database state is missing')
    return known
  }

  /** Identity of the archive whose backups are expected. An empty database has a new identity, while the backups belong to the lost
   *  one. */
  function identityOfBackups(): string | undefined {
    return statements.hasContent.get({})?.has === 1 ? identity() : (state.archive ?? undefined)
  }

  async function note(change: Partial<BackupState>): Promise<void> {
    state = { ...state, ...change }
    await writeState(disk, archiveFolder, state).catch(told)
  }

  async function attempt({ by, emptied = false }: MakeRequest): Promise<BackupMade> {
    const { signal } = stopper
    const settings = parts.settings()
    const { folder } = settings
    tell({ phase: 'copying', share: 0 })
    try {
      const archive = identity()
      const isExpected = state.folder === folder && state.last !== null && !emptied
      const bytesPerSecondMax = paceOf(limits, by)
      const order = { archive, folder, isExpected, bytesPerSecondMax, signal, onProgress }
      const { outcome, manifest } = await makeBackup(makeParts, order)
      await note({ archive, folder, last: lastOf(manifest), failure: null, damage: null })
      // The backup is complete; files that cannot be removed now are removed after the next one.
      const removed = await prune(settings, archive, by).catch((error: unknown) => {
        told(error)
        return []
      })
      const [row] = (await listBackups(disk, folder, archive)).filter(({ name }) => name === manifest.name)
      if (!row) throw new ArchiveFault('unreachable', `The backup ${manifest.name} is gone from ${folder}: see whether its drive is connected.`) // prettier-ignore
      return { outcome, backup: rowOf(row), removed }
    } catch (error) {
      // Closing Loupe is not a failure of the backup.
      if (!signal.aborted) await noteFailure(error, folder)
      throw error
    }
  }

  async function noteFailure(error: unknown, folder: string): Promise<void> {
    const at = new Date(world.clock.now()).toISOString()
    const text = failureText(error)
    const tries = state.failure?.folder === folder ? state.failure.tries + 1 : 1
    const isDamage = error instanceof DatabaseDamaged || (error instanceof StorageFault && error.code === 'damaged')
    await note({ failure: { at, folder, tries, text }, ...(isDamage ? { damage: { at, text } } : {}) })
  }

  /** Removes outdated backups. Called right after a backup was made or confirmed, when the newest is known to be good. */
  async function prune(settings: BackupSettings, archive: string, by: MakeRequest['by']): Promise<string[]> {
    const { folder } = settings
    const removed: string[] = []
    const good = goodOf(await listBackups(disk, folder, archive))
    const kept = good.map(({ name, confirmed }) => ({ name, confirmedMs: Date.parse(confirmed) }))
    for (const name of outdated(kept, settings, world.clock.now())) {
      const manifest = good.find((each) => each.name === name)
      if (!manifest) continue
      const reading = { folder, manifest, bytesPerSecondMax: paceOf(limits, by), signal: stopper.signal }
      // A file that Loupe did not write in this form belongs to another program, or is evidence.
      if ((await verifiedByReading(world, reading)).problem !== null) continue
      await removeBackup(disk, folder, name)
      removed.push(name)
    }
    return removed
  }

  /** Records the newest good backup. If the last one is no longer good, the schedule need not wait for its turn. */
  async function noteNewest(folder: string): Promise<void> {
    if (state.folder !== folder) return
    const [newest] = goodOf(await listBackups(disk, folder, identityOfBackups()))
    if (newest?.name !== state.last?.name) await note({ last: newest ? lastOf(newest) : null })
  }

  /** Verifies the older backup that was not read for the longest time, one at each call, so that all are read in turn. Stopped when
   *  the user requests an action. */
  async function readTheLongestUnread(): Promise<void> {
    const { folder } = parts.settings()
    const ender = new AbortController()
    quietWork = ender
    const signal = AbortSignal.any([ender.signal, stopper.signal])
    try {
      const [, ...older] = goodOf(await listBackups(disk, folder, identityOfBackups()))
      const [manifest] = older.toSorted((one, other) => (one.verified < other.verified ? -1 : 1))
      if (!manifest) return
      tell({ phase: 'verifying', share: 0 })
      await verifiedByReading(world, { folder, manifest, bytesPerSecondMax: limits.quietBytesPerSecondMax, signal })
    } catch (error) {
      if (!signal.aborted) told(error)
    } finally {
      quietWork = undefined
    }
  }

  async function readAnOlder(): Promise<void> {
    try {
      await inTurn(readTheLongestUnread)
    } catch (error) {
      if (!stopper.signal.aborted) parts.onProblem(error)
    }
  }

  return {
    async status() {
      const settings = parts.settings()
      const { folder } = settings
      const listed = await listBackups(disk, folder, identityOfBackups()).catch(undefinedOnFault)
      const apartFrom = [archiveFolder, ...parts.replicas.map((replica) => replica.folder)]
      return standingOf({
        nowMs: world.clock.now(),
        ...{ settings, listed },
        state: { ...state, archive: identityOfBackups() ?? null },
        isApart: listed && (await isApart(disk, folder, apartFrom)),
        hasContent: hasContent(),
        stored: statements.stored.get({}) ?? { firstMs: null, lastMs: null },
        isScheduled: parts.isScheduled,
        running,
      })
    },
    async list() {
      return (await listBackups(disk, parts.settings().folder, identityOfBackups()).catch(refusedWhenGone)).map(rowOf)
    },
    make(request) {
      if (making) return making
      if (request.by === 'person') quietWork?.abort()
      making = inTurn(() => attempt(request)).finally(() => (making = undefined))
      // The failure of the backup is reported to its caller.
      if (request.by === 'schedule') void making.then(readAnOlder, () => undefined)
      return making
    },
    verify(name) {
      quietWork?.abort()
      return inTurn(async () => {
        const { folder } = parts.settings()
        const listed = await listBackups(disk, folder, identityOfBackups()).catch(refusedWhenGone)
        const chosen = listed.filter((each) =>
          name === undefined ? each.state !== 'otherArchive' : each.name === name,
        )
        if (name !== undefined && chosen.length === 0) throw unknownBackup(name, folder)
        const onShare = (share: number) => onProgress({ phase: 'verifying', share })
        const verifying = { world, copy, folder, bytesPerSecondMax: 0, signal: stopper.signal, onProgress: onShare }
        const rows = await verifyBackups(verifying, chosen)
        await noteNewest(folder)
        return rows
      })
    },
    attempts: () => attemptsOf({ settings: parts.settings(), state, hasContent: hasContent() }),
    onChange: changes.on,
    async close() {
      stopper.abort(new Fault('stopped', 'Loupe was closed before the backup was finished; the next one begins again.'))
      await lastTurn
    },
  }

  function hasContent(): boolean {
    return statements.hasContent.get({})?.has === 1
  }

  function refusedWhenGone(error: unknown): never[] {
    if (!(error instanceof DiskFault)) throw error
    const { folder } = parts.settings()
    if (error.code === 'absent' && state.folder !== folder) return []
    throw new ArchiveFault('unreachable', `The backup folder ${folder} cannot be read (${error.message}): see whether its drive is connected.`, { cause: error }) // prettier-ignore
  }
}

/** Fault for a backup that does not exist. */
export function unknownBackup(name: string, folder: string): ArchiveFault {
  return new ArchiveFault(
    'notFound',
    `There is no backup ${name} in ${folder}: "loupe backup list" names those that there are.`,
  )
}

function goodOf(listed: readonly Listed[]): Manifest[] {
  return listed.flatMap(({ state, manifest }) => (state === 'good' && manifest ? [manifest] : []))
}

function lastOf({ name, made, confirmed, bytes }: Manifest): NonNullable<BackupState['last']> {
  return { name, made, confirmed, bytes }
}

function failureText(error: unknown): string {
  if (error instanceof Fault) return error.message
  if (error instanceof DiskFault || error instanceof StorageFault)
    return `The backup of the database could not be written: ${sentence(error.message)}`
  return `The backup of the database failed: ${messageOf(error)}`
}
