/** The first step of every start: checks whether this database is the one with which the files of the archive were last written, and
 *  which files in the folders of jobs are its own. An older database (restored from a copy, or created again) finds files of a later
 *  history. These are moved to the quarantine and logged, their job numbers are not used again, and files of jobs that are in a
 *  replica are copied back. Nothing is removed. After a kill, the next start repeats this with the same result. */
import { message, type Message } from '../../contract/words/message.ts'
import { join } from 'node:path'
import type { Archive } from '../../archive/store/archive.ts'
import type { Store } from '../../storage/storage.ts'
import { diskMessage } from '../../files/disk/diskFaults.ts'
import { DiskFault, type Entry, type World } from '../../world/world.ts'
import { jobStatements } from '../model/jobs.sql.ts'
import { copyInReplica } from './copyInReplica.ts'
import { copyAside, copyTo, moveAside, quarantinedJobs, quarantineFolderFor } from './quarantine.ts'
import { databaseState, databaseStateStatements } from './databaseState.sql.ts'
import { localNameOf, ownedFiles } from './ownedFiles.ts'
import { ownershipStatements, type KnownFile } from './ownership.sql.ts'
import { ageOf, openSequenceMark, readMark, type DatabaseAge, type SequenceMark } from './sequenceMark.ts'

/** Settings of `settleOwnership`. */
export interface OwnershipSetting {
  store: Store
  world: World
  archive: Pick<Archive, 'unregistered' | 'places'>
  /** `<archive>/jobs`. */
  folder: string
  quarantineFolder: string
  signal: AbortSignal
  /** Logs a message for the user, in the log of `job`; null if the database has no such job. */
  log(job: number | null, message: Message): void
}

/** Settles the ownership of all files and returns the mark, opened for writing. */
export async function settleOwnership(setting: OwnershipSetting): Promise<SequenceMark> {
  const { store, world, folder, archive, signal } = setting
  await world.disk.makeFolder(folder)
  const mark = await readMark(setting)
  const sql = databaseStateStatements(store)
  if (mark) sql.setArchiveId.run({ archiveId: mark.archiveId })
  const age = ageOf(store, mark)
  if (age !== 'current' || archive.unregistered.isUnknown()) {
    await archive.unregistered.compare(signal)
    await raiseJobNumber(setting)
  }
  if (age === 'older') setting.log(null, message('ownership.databaseOlder'))
  await setAsideUnknown(setting, age)
  // Every start raises the number, and the mark is synced before anything else is written: a copy of the database from before this
  // start is detected even if a power failure loses later lines of the mark.
  sql.raiseSequence.run({ sequence: Math.max(databaseState(store).sequence, mark?.sequence ?? 0) + 1 })
  return openSequenceMark(setting)
}

/** Reserves job numbers that occur in the names of files which this database does not know, so that no new job gets them. */
async function raiseJobNumber({ store, world, archive, folder, quarantineFolder }: OwnershipSetting): Promise<void> {
  let highest = 0
  const note = (number: number) => (highest = Math.max(highest, number))
  for (const { job } of await jobFolders(world, folder)) note(job)
  for (const job of await quarantinedJobs({ world, folder: quarantineFolder })) note(job)
  for (let names = archive.unregistered.names('', namesAtOnceMax); names.length > 0;) {
    for (const name of names) note(jobInName(name) ?? 0)
    names = archive.unregistered.names(names.at(-1) ?? '', namesAtOnceMax)
    await world.clock.sleep(0)
  }
  databaseStateStatements(store).raiseJobNumber.run({ numberMin: highest + 1 })
}

const namesAtOnceMax = 5_000

/** The job that wrote a file of this name; undefined if the name does not have the form that Loupe uses. */
function jobInName(name: string): number | undefined {
  const found = /^(\d{1,15})-(?:\d+-\d{17}-\d{5}-loupe\.warc\.gz|(?:metadata|quality)-\d+\.warc(?:\.gz)?)$/.exec(
    name,
  )?.[1]
  return found === undefined ? undefined : Number(found)
}

/** The folders of jobs, each with the job's number. */
export async function jobFolders(
  { disk }: Pick<World, 'disk'>,
  folder: string,
): Promise<{ job: number; path: string }[]> {
  const entries = await disk.list(folder)
  return entries
    .filter(({ kind, name }) => kind === 'folder' && /^\d{1,15}$/.test(name))
    .map(({ name }) => ({ job: Number(name), path: join(folder, name) }))
}

async function setAsideUnknown(setting: OwnershipSetting, age: DatabaseAge): Promise<void> {
  const { store, world, folder } = setting
  const jobs = jobStatements(store)
  const found = (await jobFolders(world, folder)).map(({ job }) => job)
  const unstored = age === 'current' ? [] : ownershipStatements(store).jobsWithUnstored.all({})
  for (const job of new Set([...found, ...unstored.map(({ job }) => job)])) {
    const path = join(folder, String(job))
    try {
      await world.disk.makeFolder(path)
      const isKnown = jobs.one.get({ job }) !== undefined
      if (!isKnown) await setAsideAll(setting, job, path)
      else if (age !== 'current') await setAsideLater(setting, job, path)
    } catch (error) {
      // A folder that cannot be read or moved stays as it is and does not affect other jobs.
      if (!(error instanceof DiskFault)) throw error
      setting.log(null, message('job.folder.unreadable', { job, problem: diskMessage(error) }))
    }
  }
  if (age === 'current') return
  renewRuns(setting)
}

/** Gives every current run that is not described in the archive a new id. Another history of this archive may have continued the
 *  same run, so its files need different names from now on. */
function renewRuns({ store, world }: OwnershipSetting): void {
  const sql = databaseStateStatements(store)
  store.transaction(() => {
    for (const { id: job, run } of sql.runsToRenew.all({})) {
      const runId = world.chance.uuid()
      sql.renewRun.run({ job, runId })
      sql.renewMetadata.run({ job, run, runId })
    }
  })
}

/** Sets aside all files of a job that the database does not know. */
async function setAsideAll(setting: OwnershipSetting, job: number, folder: string): Promise<void> {
  const names = (await setting.world.disk.list(folder)).map(({ name }) => name)
  await setAside(setting, { job, folder, names, why: message('quarantine.unknownJob') })
}

/** Sets aside files of a known job that may be of a later history. Content files that the database knows are settled instead. */
async function setAsideLater(setting: OwnershipSetting, job: number, folder: string): Promise<void> {
  const { store, world } = setting
  const entries = await world.disk.list(folder)
  const owned = ownedFiles(store, job)
  const sql = ownershipStatements(store)
  const known = sql.contents.all({ job })
  const why = message('quarantine.older')
  // A metadata file in the catalogue is still to be copied to some replica, which compares it with the registered checksum.
  const registered = new Set(sql.registeredMetadata.all({ job }).map(localNameOf))
  const later = entries
    .map(({ name }) => name)
    .filter((name) => owned.kindOf(name) !== 'content' && !registered.has(name))
  await setAside(setting, { job, folder, names: later, why })
  for (const file of known) await settleFile(setting, { job, folder, entries, file, why })
}

interface FileToSettle {
  job: number
  folder: string
  entries: readonly Entry[]
  file: KnownFile
  why: Message
}

/** Settles a file whose first bytes the database counts. Further bytes, from a later state of the archive, are kept. */
async function settleFile(setting: OwnershipSetting, { job, folder, entries, file, why }: FileToSettle): Promise<void> {
  const { name, state, committedBytes, id } = file
  if (state === 'STORED') return
  const sql = ownershipStatements(setting.store)
  const closed = entries.find((entry) => entry.name === name)
  const open = entries.find((entry) => entry.name === `${name}.open`)
  // The file was closed in a later history: all of its records are complete, and it begins with those that are counted here.
  if (closed && closed.bytes > committedBytes) sql.close.run({ id, bytes: closed.bytes })
  if (closed || state === 'CLOSED') return closed ? undefined : void (await restoreFromReplica(setting, folder, file))
  if (!open) return void (await restoreFromReplica(setting, folder, file))
  if (open.bytes <= committedBytes) return
  const aside = await quarantineFolderFor(placeOf(setting), { job, why })
  await copyAside(setting, { folder, name: open.name }, aside)
  setting.log(job, setAsideMessage(job, [open.name], aside))
}

/** Copies a file back from a replica, where a later history stored it. */
async function restoreFromReplica(setting: OwnershipSetting, folder: string, { id, name }: KnownFile): Promise<void> {
  const { world, store } = setting
  const copy = await copyInReplica(setting, name)
  if (!copy) return
  await copyTo(world, copy.path, join(folder, name))
  await world.disk.syncFolder(folder)
  ownershipStatements(store).close.run({ id, bytes: copy.bytes })
}

interface ToSetAside {
  job: number
  folder: string
  names: readonly string[]
  why: Message
}

/** Moves files of a job's folder into the quarantine, and logs it. */
export async function setAside(
  setting: Pick<OwnershipSetting, 'world' | 'quarantineFolder' | 'log' | 'store'>,
  { job, folder, names, why }: ToSetAside,
): Promise<void> {
  if (names.length === 0) return
  const aside = await quarantineFolderFor(placeOf(setting), { job, why })
  for (const name of names) await moveAside(setting, { folder, name }, aside)
  const isKnown = jobStatements(setting.store).one.get({ job }) !== undefined
  setting.log(isKnown ? job : null, setAsideMessage(job, names, aside))
}

function placeOf({ world, quarantineFolder }: Pick<OwnershipSetting, 'world' | 'quarantineFolder'>) {
  return { world, folder: quarantineFolder }
}

const namesShownMax = 5

function setAsideMessage(job: number, names: readonly string[], folder: string): Message {
  const shown = names.slice(0, namesShownMax)
  const more = names.length - shown.length
  return message('ownership.setAside', { count: names.length, job, names: shown.join(', '), more, folder })
}
