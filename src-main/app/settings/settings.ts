/**
 * The settings of an archive, from its loupe.toml. A key that is not in the table is refused with the nearest known one; a change leaves
 * the rest of the file, including comments, unchanged.
 */
import { join } from 'node:path'
import type { BackupSettings } from '../../archive/backup/backupStatus.ts'
import type { ReplicaPlace } from '../../archive/replica/replica.ts'
import { Fault } from '../../contract/calls/faults.ts'
import type { Setting } from '../../contract/services/settings.ts'
import type { SharedWith } from '../../contract/shapes/choices.ts'
import { message } from '../../contract/words/message.ts'
import { textOf } from '../../contract/words/render.ts'
import type { CrawlSettings } from '../../crawl/crawl.ts'
import type { GenerationSettings } from '../../harvest/harvest.ts'
import type { AccessRule } from '../../viewer/viewer.ts'
import type { World } from '../../world/world.ts'
import { checkedValue, rowOf } from './settingChecks.ts'
import { clashesIn, refuseFolders } from './settingFolders.ts'
import { edited, readText, type Values } from './settingsFile.ts'
import { settingTable, type SettingRow } from './settingTable.ts'
import {
  accessRulesIn,
  backupSettingsIn,
  crawlSettingsIn,
  generationSettingsIn,
  numberIn,
  preservationSettingsIn,
  replicasIn,
  sharedWithIn,
  valueIn,
  type PreservationSettings,
} from './settingValues.ts'

/** Maximum size of the file. It is written by hand; a larger file is something else. */
const settingsBytesMax = 1_000_000

/** The settings of one archive. Each call returns the present values. */
export interface Settings {
  /** Returns all settings, in the order of the table. */
  list(): Setting[]
  /** Writes a value into the file. Rejects with `Fault`: notFound, badInput, or refused where folders would clash
   *  or the text of the file cannot be changed safely. */
  set(path: string, value: unknown): Promise<Setting>
  crawl(): CrawlSettings
  /** The settings of harvest definitions. A change takes effect at once. */
  generation(): GenerationSettings
  /** Returns replicas with absolute folders: those that hold files, in the order in which they are read, then those of checksums. */
  replicas(): ReplicaPlace[]
  sharedWith(): SharedWith
  number(path: 'viewer.port' | 'viewer.indexBytesMax' | 'viewer.recordCacheBytesMax' | 'server.port'): number
  /** Returns the rules by effect, in the order of their precedence. */
  accessRules(): AccessRule[]
  /** Returns the settings of backups, with an absolute folder. */
  backup(): BackupSettings
  /** A change takes effect at once, except for the limits, which are read when the engine starts. */
  preservation(): PreservationSettings
}

/**
 * Opens the settings. Throws `Fault`: badInput when the file is not TOML, has an unknown key or a value of a wrong kind; refused when two
 * replicas are not separate.
 */
export async function openSettings(world: World, archiveFolder: string): Promise<Settings> {
  const { settings, problems } = await readSettings(world, archiveFolder)
  if (problems[0]) throw problems[0]
  return settings
}

/** Reads the settings together with the problems in the file, so that these can be fixed: an unusable value counts as absent. */
export async function readSettings(
  { disk }: Pick<World, 'disk'>,
  archiveFolder: string,
): Promise<{ settings: Settings; problems: Fault[] }> {
  const path = join(archiveFolder, 'loupe.toml')
  const found = await disk.stat(path)
  const text = found ? new TextDecoder().decode(await disk.read(path, settingsBytesMax)) : ''
  const begun = readText(text, path)
  const clashes = (await clashesIn(begun.values, { disk, archiveFolder })).map(
    ({ problem }) => new Fault('refused', message('setting.inFile', { file: path, problem })),
  )
  const file = { disk, archiveFolder, path, text, values: begun.values }
  return { settings: settingsOf(file), problems: [...begun.problems, ...clashes] }
}

/** The file, as it was read. */
interface File {
  disk: World['disk']
  archiveFolder: string
  path: string
  text: string
  values: Values
}

function settingsOf({ disk, archiveFolder, path, ...begun }: File): Settings {
  let { text, values } = begun
  // Cached, because every request of a browser asks for them.
  let accessRules = accessRulesIn(values)
  const shown = (row: SettingRow) => settingOf(row, values, begun.values)

  return {
    list: () => settingTable.map(shown),
    async set(settingPath, value) {
      const row = rowOf(settingPath)
      const changed = textWith(text, { row, value, path })
      await refuseFolders(settingPath, changed.values, { disk, archiveFolder })
      await disk.write(path, new TextEncoder().encode(changed.text))
      ;({ text, values } = changed)
      accessRules = accessRulesIn(values)
      return shown(row)
    },
    crawl: () => crawlSettingsIn(values),
    generation: () => generationSettingsIn(values),
    replicas: () => replicasIn(values, archiveFolder),
    sharedWith: () => sharedWithIn(values),
    number: (settingPath) => numberIn(values, settingPath),
    accessRules: () => accessRules,
    backup: () => backupSettingsIn(values, archiveFolder),
    preservation: () => preservationSettingsIn(values),
  }
}

/** Changes one value in the text of the file. Throws `Fault`: badInput, or refused when the text cannot be changed so. */
function textWith(
  text: string,
  { row, value, path }: { row: SettingRow; value: unknown; path: string },
): { text: string; values: Values } {
  const checked = checkedValue(row, value)
  const changed = edited(text, row.path, checked)
  const { values, isToml, problems } = readText(changed, path)
  if (!isToml && problems[0]) throw problems[0]
  if (!isSame(values.get(row.path), checked))
    throw new Fault('refused', message('setting.uneditable', { path: row.path, file: path }))
  return { text: changed, values }
}

/** A setting with its present value. `begun`: the values when the engine was started. */
function settingOf(row: SettingRow, values: Values, begun: Values): Setting {
  const value = valueIn(values, row)
  return {
    path: row.path,
    kind: row.kind,
    ...(row.choices === undefined ? {} : { choices: [...row.choices] }),
    ...(row.unit === undefined ? {} : { unit: row.unit }),
    value,
    default: row.default,
    source: values.has(row.path) ? 'loupe.toml' : 'default',
    meaning: textOf({ code: `setting.${row.path}` }),
    atStart: row.atStart,
    needsRestart: row.atStart && !isSame(value, valueIn(begun, row)),
  }
}

/** Compares values of settings, which are plain: texts, numbers, lists and maps of them. */
function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
