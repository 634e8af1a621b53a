/**
 * The settings of an archive, from its loupe.toml and from the file of the user for all archives. A key that is not in the table is refused
 * with the nearest known one; a change leaves the rest of the file, including comments, unchanged.
 */
import { dirname, join } from 'node:path'
import type { AccessSettings } from '../../access/access.ts'
import type { BackupSettings } from '../../archive/backup/backupStatus.ts'
import type { ReplicaPlace } from '../../archive/replica/replica.ts'
import { Fault } from '../../contract/calls/faults.ts'
import type { Setting, SettingDeclaration, SettingLevel } from '../../contract/services/settings.ts'
import type { SharedWith } from '../../contract/shapes/choices.ts'
import { message } from '../../contract/words/message.ts'
import { textOf } from '../../contract/words/render.ts'
import type { CrawlSettings } from '../../crawl/crawl.ts'
import type { GenerationSettings } from '../../harvest/harvest.ts'
import type { NotificationSettings } from '../../notifications/notifications.ts'
import type { AccessRule } from '../../viewer/viewer.ts'
import type { World } from '../../world/world.ts'
import { checkedValue, rowOf } from './settingChecks.ts'
import { clashesIn, refuseFolders } from './settingFolders.ts'
import { edited, readText, type Values } from './settingsFile.ts'
import { settingTable } from './settingTable.ts'
import {
  accessRulesIn,
  accessSettingsIn,
  backupSettingsIn,
  crawlSettingsIn,
  generationSettingsIn,
  notificationSettingsIn,
  numberIn,
  preservationSettingsIn,
  replicasIn,
  sharedWithIn,
  valueIn,
  type PreservationSettings,
} from './settingValues.ts'

/** Settings that are one number, and that no floor reads in a group. */
type NumberPath =
  | 'viewer.port'
  | 'viewer.indexBytesMax'
  | 'viewer.recordCacheBytesMax'
  | 'server.port'
  | 'accounts.idleMinutesMax'
  | 'accounts.confirmedMinutesMax'
  | 'accounts.sessionHoursMax'

/** Maximum size of the file. It is written by hand; a larger file is something else. */
const settingsBytesMax = 1_000_000

/** The settings of one archive. Each call returns the present values. */
export interface Settings {
  /** Returns all settings, in the order of the table. */
  list(): Setting[]
  /** Writes a value into the file of the archive, or of the user. Rejects with `Fault`: notFound, badInput, or refused where folders would clash
   *  or the text of the file cannot be changed safely. */
  set(path: string, value: unknown, level?: SettingLevel): Promise<Setting>
  crawl(): CrawlSettings
  /** The settings of notifications, with an absolute path of the module. A change takes effect at once. */
  notifications(): NotificationSettings
  /** The settings of the authority service. A change takes effect at once. */
  authorities(): AccessSettings
  /** The settings of harvest definitions. A change takes effect at once. */
  generation(): GenerationSettings
  /** Returns replicas with absolute folders: those that hold files, in the order in which they are read, then those of checksums. */
  replicas(): ReplicaPlace[]
  sharedWith(): SharedWith
  number(path: NumberPath): number
  /** Returns the rules by effect, in the order of their precedence. */
  accessRules(): AccessRule[]
  /** Returns the settings of backups, with an absolute folder. */
  backup(): BackupSettings
  /** A change takes effect at once, except for the limits, which are read when the engine starts. */
  preservation(): PreservationSettings
}

/**
 * Opens the settings. `userFile`: the settings of the user for all archives, which those of the archive precede. Throws `Fault`: badInput
 * when a file is not TOML, has an unknown key or a value of a wrong kind; refused when two replicas are not separate.
 */
export async function openSettings(world: World, archiveFolder: string, userFile?: string): Promise<Settings> {
  const { settings, problems } = await readSettings(world, archiveFolder, userFile)
  if (problems[0]) throw problems[0]
  return settings
}

/** Reads the settings together with the problems in the files, so that these can be fixed: an unusable value counts as absent. */
export async function readSettings(
  { disk }: Pick<World, 'disk'>,
  archiveFolder: string,
  userFile?: string,
): Promise<{ settings: Settings; problems: Fault[] }> {
  const archive = await readFile(disk, join(archiveFolder, 'loupe.toml'), 'archive')
  const user = userFile === undefined ? undefined : await readFile(disk, userFile, 'user')
  const clashes = await clashProblems(archive, { disk, archiveFolder })
  const files = { archive, ...(user && { user }) }
  return {
    settings: settingsOf({ disk, archiveFolder, files }),
    problems: [...(user?.problems ?? []), ...archive.problems, ...clashes],
  }
}

/** Returns every problem of a file, which need not be that of an archive. Throws `Fault` notFound. */
export async function checkFile({ disk }: Pick<World, 'disk'>, path: string): Promise<Fault[]> {
  if (!(await disk.stat(path))) throw new Fault('notFound', message('setting.noFile', { file: path }))
  const file = await readFile(disk, path, 'archive')
  return [...file.problems, ...(await clashProblems(file, { disk, archiveFolder: dirname(path) }))]
}

async function clashProblems(
  { path, values }: Pick<File, 'path' | 'values'>,
  place: { disk: World['disk']; archiveFolder: string },
): Promise<Fault[]> {
  const clashes = await clashesIn(values, place)
  return clashes.map(({ problem }) => new Fault('refused', message('setting.inFile', { file: path, problem })))
}

/** A file with settings, as it was read. */
interface File {
  path: string
  level: SettingLevel
  text: string
  values: Values
}

async function readFile(disk: World['disk'], path: string, level: SettingLevel): Promise<File & { problems: Fault[] }> {
  const found = await disk.stat(path)
  const text = found ? new TextDecoder().decode(await disk.read(path, settingsBytesMax)) : ''
  const { values, problems } = readText(text, path, level)
  return { path, level, text, values, problems }
}

interface Opened {
  disk: World['disk']
  archiveFolder: string
  files: { archive: File; user?: File }
}

function settingsOf({ disk, archiveFolder, files }: Opened): Settings {
  const begun = valuesOf(files)
  let values = begun
  // Cached, because every request of a browser asks for them.
  let accessRules = accessRulesIn(values)
  const shown = (row: SettingDeclaration) => settingOf(row, { values, begun, files })

  return {
    list: () => settingTable.map(shown),
    async set(settingPath, value, level = 'archive') {
      const row = rowOf(settingPath)
      const file = files[level]
      if (!file) throw new Fault('refused', message('setting.user.none'))
      if (row.isOfArchive && level === 'user')
        throw new Fault('refused', message('setting.ofArchive', { path: row.path }))
      const changed = textWith(file, { row, value })
      const changedFile = { ...file, ...changed }
      await refuseFolders(settingPath, valuesOf({ ...files, [level]: changedFile }), { disk, archiveFolder })
      await disk.makeFolder(dirname(file.path))
      await disk.write(file.path, new TextEncoder().encode(changed.text))
      files[level] = changedFile
      values = valuesOf(files)
      accessRules = accessRulesIn(values)
      return shown(row)
    },
    crawl: () => crawlSettingsIn(values),
    authorities: () => accessSettingsIn(values),
    generation: () => generationSettingsIn(values),
    notifications: () => notificationSettingsIn(values, archiveFolder),
    replicas: () => replicasIn(values, archiveFolder),
    sharedWith: () => sharedWithIn(values),
    number: (settingPath) => numberIn(values, settingPath),
    accessRules: () => accessRules,
    backup: () => backupSettingsIn(values, archiveFolder),
    preservation: () => preservationSettingsIn(values),
  }
}

/** The values of both files: those of the archive come before those of the user. */
function valuesOf({ archive, user }: Opened['files']): Values {
  return new Map([...(user?.values ?? []), ...archive.values])
}

/** Changes one value in the text of a file. Throws `Fault`: badInput, or refused when the text cannot be changed so. */
function textWith(
  { text, path, level }: File,
  { row, value }: { row: SettingDeclaration; value: unknown },
): { text: string; values: Values } {
  const checked = checkedValue(row, value)
  const changed = edited(text, row.path, checked)
  const { values, isToml, problems } = readText(changed, path, level)
  if (!isToml && problems[0]) throw problems[0]
  if (!isSame(values.get(row.path), checked))
    throw new Fault('refused', message('setting.uneditable', { path: row.path, file: path }))
  return { text: changed, values }
}

interface Present {
  values: Values
  /** The values when the engine was started. */
  begun: Values
  files: Opened['files']
}

/** A setting with its present value. */
function settingOf(row: SettingDeclaration, { values, begun, files }: Present): Setting {
  const value = valueIn(values, row)
  const source = files.archive.values.has(row.path) ? 'archive' : files.user?.values.has(row.path) ? 'user' : 'default'
  return {
    path: row.path,
    kind: row.kind,
    ...(row.choices === undefined ? {} : { choices: [...row.choices] }),
    ...(row.choiceMeanings === undefined ? {} : { choiceMeanings: mapped(row.choiceMeanings, textOf) }),
    ...(row.unit === undefined ? {} : { unit: row.unit }),
    value,
    default: row.default,
    example: row.example,
    source,
    meaning: textOf({ code: `setting.${row.path}` }),
    isOfArchive: row.isOfArchive ?? false,
    atStart: row.atStart,
    needsRestart: row.atStart && !isSame(value, valueIn(begun, row)),
  }
}

/** Compares values of settings, which are plain: texts, numbers, lists and maps of them. */
function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

function mapped<From, To>(values: Readonly<Record<string, From>>, change: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]))
}
