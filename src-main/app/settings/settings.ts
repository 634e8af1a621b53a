/**
 * The settings of an archive, from its loupe.toml. A key that is not in the table is refused with the nearest known one; a change leaves
 * the rest of the file, including comments, unchanged.
 */
import { isAbsolute, join, resolve } from 'node:path'
import { parse, stringify, TomlError } from 'smol-toml'
import type { z } from 'zod'
import type { ArchiveLimits } from '../../archive/files/limits.ts'
import type { ReportSettings } from '../../archive/report/reporting.ts'
import { folderModeFor } from '../../archive/files/folderPermissions.ts'
import { placesProblems, type PlacesProblem } from '../../archive/replica/replicaPlaces.ts'
import { folderProblem } from '../../archive/backup/backupFolder.ts'
import type { BackupSettings } from '../../archive/backup/backupStatus.ts'
import type { Rhythm } from '../../archive/check/schedule.ts'
import type { ReplicaKind, ReplicaPlace } from '../../archive/replica/replica.ts'
import type { SharedWith } from '../../contract/shapes/choices.ts'
import type { Setting } from '../../contract/services/settings.ts'
import { Fault } from '../../contract/calls/faults.ts'
import type { CrawlSettings } from '../../crawl/crawl.ts'
import { defaultCrawlSettings } from '../../crawl/crawl.ts'
import type { World } from '../../world/world.ts'
import type { AccessRule } from '../../viewer/viewer.ts'
import { nearest } from './nearest.ts'
import { settingTable, type SettingRow } from './settingTable.ts'
import { message, type Message } from '../../contract/words/message.ts'
import { textOf } from '../../contract/words/render.ts'

/** A settings file is written by hand; a larger file is something else. */
const settingsBytesMax = 1_000_000

/** The settings of one archive. */
export interface Settings {
  list(): Setting[]
  set(path: string, value: unknown): Promise<Setting>
  crawl(): CrawlSettings
  /** Returns replicas with absolute folders: those that hold files, in the order in which they are read, then those of checksums. */
  replicas(): ReplicaPlace[]
  sharedWith(): SharedWith
  number(path: 'viewer.port' | 'viewer.indexBytesMax' | 'server.port'): number
  /** Returns the rules by effect, in the order of their precedence. */
  accessRules(): AccessRule[]
  /** Returns the present values, with an absolute folder. */
  backup(): BackupSettings
  /** Returns the present values. A change takes effect at once, except for the limits, which are read when the engine starts. */
  preservation(): {
    rhythm: Rhythm
    report: ReportSettings
    limits: Pick<ArchiveLimits, 'checkBytesPerSecondMax' | 'quietBytesPerSecondMax'>
  }
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
  world: World,
  archiveFolder: string,
): Promise<{ settings: Settings; problems: Fault[] }> {
  const path = join(archiveFolder, 'loupe.toml')
  const found = await world.disk.stat(path)
  let text = found ? new TextDecoder().decode(await world.disk.read(path, settingsBytesMax)) : ''
  const begun = read(text, path)
  let { values } = begun

  const valueIn = (given: Values, row: SettingRow) => (given.has(row.path) ? given.get(row.path) : row.default)
  const valueOf = (row: SettingRow) => valueIn(values, row)
  const settingOf = (row: SettingRow): Setting => ({
    path: row.path,
    kind: row.kind,
    ...(row.choices === undefined ? {} : { choices: [...row.choices] }),
    ...(row.unit === undefined ? {} : { unit: row.unit }),
    value: valueOf(row),
    default: row.default,
    source: values.has(row.path) ? 'loupe.toml' : 'default',
    meaning: textOf({ code: `setting.${row.path}` }),
    atStart: row.atStart,
    needsRestart: row.atStart && !isSame(valueOf(row), valueIn(begun.values, row)),
  })

  const foldersIn = (given: Values, kind: ReplicaKind) =>
    valueIn(given, rowOf(settingOfKind[kind])) as Record<string, string>
  const sharedWith = () => valueOf(rowOf('archive.sharedWith')) as SharedWith
  const placesIn = (given: Values): ReplicaPlace[] =>
    (['files', 'checksums'] as const).flatMap((kind) =>
      Object.entries(foldersIn(given, kind)).map(([name, folder]) => ({
        name,
        folder: isAbsolute(folder) ? folder : join(archiveFolder, folder),
        kind,
        folderMode: folderModeFor(sharedWith()),
      })),
    )
  const backupFolderIn = (given: Values) => resolve(archiveFolder, valueIn(given, rowOf('backup.folder')) as string)
  const accessRulesIn = (given: Values): AccessRule[] =>
    (['block', 'exclude', 'allow'] as const).flatMap((effect) =>
      (valueIn(given, rowOf(`viewer.${effect}`)) as string[]).map((surtPrefix) => ({ surtPrefix, effect })),
    )
  // Cached, because every request of a browser asks for them.
  let accessRules = accessRulesIn(values)
  /** Quotes the lines of the file, so that they can be found and fixed. */
  const clash = (given: Values, { message: problem, between }: PlacesProblem) => {
    const lines = between.map(({ name, kind = 'files' }) => {
      return `${settingOfKind[kind]}.${name} = ${JSON.stringify(foldersIn(given, kind)[name])}`
    })
    return message('setting.replicas.clash', { problem, lines: lines.join(', ') })
  }

  const settings: Settings = {
    list: () => settingTable.map(settingOf),
    async set(settingPath, value) {
      const row = rowOf(settingPath)
      const checked = checkedValue(row, value)
      const edited = edit(text, settingPath, checked)
      const { values: after, isToml, problems } = read(edited, path)
      if (!isToml && problems[0]) throw problems[0]
      if (JSON.stringify(after.get(settingPath)) !== JSON.stringify(checked)) {
        throw new Fault('refused', message('setting.uneditable', { path: settingPath, file: path }))
      }
      await refuseReplicas(settingPath, after)
      if (apartFromEachOther.includes(settingPath)) await refuseBackupFolder(after)
      await world.disk.write(path, new TextEncoder().encode(edited))
      text = edited
      values = after
      accessRules = accessRulesIn(after)
      return settingOf(row)
    },
    crawl() {
      const entries = Object.keys(defaultCrawlSettings).map((name) => [name, valueOf(rowOf(`harvest.${name}`))])
      return Object.fromEntries(entries) as CrawlSettings
    },
    replicas: () => placesIn(values),
    sharedWith,
    number: (settingPath) => valueOf(rowOf(settingPath)) as number,
    accessRules: () => accessRules,
    backup() {
      const number = (name: string) => valueOf(rowOf(`backup.${name}`)) as number
      return {
        folder: backupFolderIn(values),
        everyHours: number('everyHours'),
        keepCount: number('keepCount'),
        keepDays: number('keepDays'),
      }
    },
    preservation() {
      const number = (name: string) => valueOf(rowOf(`preservation.${name}`)) as number
      const checksumsDays = number('checksumsEveryDays')
      const checksumsSample = number('checksumsSample')
      return {
        rhythm: {
          missingDays: number('missingEveryDays'),
          checksumsDays,
          checksumsSample,
          spotDays: number('spotsEveryDays'),
          spotFiles: number('spotFiles'),
        },
        report: {
          overdueDays: number('overdueDays'),
          checksumsEveryDays: checksumsDays,
          checksumsSample,
          places: valueOf(rowOf('places')) as Record<string, string>,
          declared: valueOf(rowOf('preservation.declared')) as string[],
        },
        limits: {
          checkBytesPerSecondMax: number('bytesPerSecondMax'),
          quietBytesPerSecondMax: number('quietBytesPerSecondMax'),
        },
      }
    },
  }

  /**
   * Refuses a change that would keep the archive from being opened. An error in another setting does not prevent it: otherwise two errors
   * could never be fixed.
   */
  async function refuseReplicas(settingPath: string, after: Values): Promise<void> {
    const places = placesIn(after)
    if (settingPath === 'places') {
      const names = places.map(({ name }) => name)
      const unknown = Object.keys(after.get('places') as object).find((name) => !names.includes(name))
      if (unknown !== undefined) throw new Fault('badInput', unknownReplica(unknown, names))
    }
    const clashes = await placesProblems(world.disk, places)
    const own = clashes.find(({ between }) => between.some(({ kind = 'files' }) => settingOfKind[kind] === settingPath))
    if (own) throw new Fault('refused', clash(after, own))
  }

  async function refuseBackupFolder(after: Values): Promise<void> {
    const surroundings = { archiveFolder, replicas: placesIn(after) }
    const problem = await folderProblem(world.disk, backupFolderIn(after), surroundings)
    if (problem !== undefined) throw new Fault('refused', message('setting.backup.folder.refused', { problem }))
  }

  const clashes = (await placesProblems(world.disk, placesIn(values))).map(
    (found) => new Fault('refused', message('setting.inFile', { file: path, problem: clash(values, found) })),
  )
  return { settings, problems: [...begun.problems, ...clashes] }
}

/** Settings that name folders of which none may be inside another. */
const apartFromEachOther = ['backup.folder', 'replicas', 'checksumReplicas']

type Values = ReadonlyMap<string, unknown>

const settingOfKind: Record<ReplicaKind, string> = { files: 'replicas', checksums: 'checksumReplicas' }

function unknownReplica(name: string, names: readonly string[]): Message {
  const near = nearest(name, names)
  const known = names.join(', ')
  return near === undefined
    ? message('setting.places.unknown', { name, known })
    : message('setting.places.unknown.near', { name, near, known })
}

function rowOf(path: string): SettingRow {
  const row = settingTable.find((candidate) => candidate.path === path)
  if (row) return row
  throw new Fault('notFound', unknownSetting(path))
}

function unknownSetting(path: string): Message {
  const near = nearest(
    path,
    settingTable.map((row) => row.path),
  )
  return near === undefined ? message('setting.unknown', { path }) : message('setting.unknown.near', { path, near })
}

interface Read {
  values: Values
  isToml: boolean
  problems: Fault[]
}

function read(text: string, path: string): Read {
  let table
  try {
    table = parse(text)
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    const { line } = error
    const problem = error.message.split('\n')[0]?.replace(/^Invalid TOML document: /, '') ?? ''
    const written = text.split('\n')[line - 1]?.trim() ?? ''
    const reason =
      written === ''
        ? message('setting.toml', { file: path, line, problem })
        : message('setting.toml.line', { file: path, line, text: shortened(written), problem })
    return { values: new Map(), isToml: false, problems: [new Fault('badInput', reason)] }
  }
  const values = new Map<string, unknown>()
  const problems: Fault[] = []
  for (const [name, value] of flat(table)) {
    const row = settingTable.find((candidate) => candidate.path === name)
    const checked = row?.shape.safeParse(value)
    if (row && checked?.success) values.set(name, checked.data)
    else
      problems.push(
        new Fault('badInput', message('setting.inFile', { file: path, problem: wrongIn(row, name, value) })),
      )
  }
  return { values, isToml: true, problems }
}

function wrongIn(row: SettingRow | undefined, name: string, value: unknown): Message {
  if (row) return refusalOf(row, value)
  return message('setting.unknown.value', { said: unknownSetting(name), value: shownValue(value) })
}

/** Flattens tables: `[harvest] workers = 8` becomes `harvest.workers`; a map setting stays whole. */
function flat(table: Record<string, unknown>, prefix = ''): [string, unknown][] {
  return Object.entries(table).flatMap(([name, value]): [string, unknown][] => {
    const path = `${prefix}${name}`
    const isMap = settingTable.some((row) => row.path === path && row.kind === 'map')
    const isTable = typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
    return isTable && !isMap ? flat(value as Record<string, unknown>, `${path}.`) : [[path, value]]
  })
}

function checkedValue(row: SettingRow, value: unknown): unknown {
  const checked = row.shape.safeParse(value)
  if (checked.success) return checked.data
  throw new Fault('badInput', refusalOf(row, value))
}

/** Names the key, the reason for the refusal, and the value. */
function refusalOf(row: SettingRow, value: unknown): Message {
  const issue = row.shape.safeParse(value).error?.issues[0]
  const steps = issue?.path ?? []
  const refused = steps.reduce<unknown>((at, step) => (isKeyed(at) ? at[step] : undefined), value)
  const wrong = { setting: [row.path, ...steps].join('.'), problem: problemIn(issue) }
  return issue?.code === 'invalid_key'
    ? message('setting.wrong', wrong)
    : message('setting.wrong.value', { ...wrong, value: shownValue(refused) })
}

function isKeyed(value: unknown): value is Record<PropertyKey, unknown> {
  return typeof value === 'object' && value !== null
}

function shownValue(value: unknown): string {
  return shortened(JSON.stringify(value) ?? 'nothing')
}

/** Letters of a value quoted in a sentence: enough to find it. */
const shownCountMax = 80

function shortened(text: string): string {
  return text.length > shownCountMax ? `${text.slice(0, shownCountMax)}…` : text
}

/** The reason for a refused key is one level deeper. */
function problemIn(issue: z.core.$ZodIssue | undefined): string {
  return (issue?.code === 'invalid_key' ? issue.issues[0]?.message : issue?.message) ?? 'wrong value'
}

/** Replaces one line, or adds it to its section, or adds the section. A map is a section of its own. */
function edit(text: string, path: string, value: unknown): string {
  const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n')
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const start = lines.findIndex((line) => line.trim() === `[${path}]`)
    const section = [`[${path}]`, ...stringify(value).trim().split('\n')]
    if (start < 0) return `${[...lines, '', ...section].join('\n').trimStart()}\n`
    const end = lines.findIndex((line, index) => index > start && /^\s*\[/.test(line))
    lines.splice(start, (end < 0 ? lines.length : end) - start, ...section)
    return `${lines.join('\n')}\n`
  }
  const [sectionName = '', key = ''] = path.split('.')
  const entry = stringify({ [key]: value }).trim()
  const header = lines.findIndex((line) => line.trim() === `[${sectionName}]`)
  if (header < 0) return `${[...lines, ...(lines.length > 0 ? [''] : []), `[${sectionName}]`, entry].join('\n')}\n`
  const next = lines.findIndex((line, index) => index > header && /^\s*\[/.test(line))
  const end = next < 0 ? lines.length : next
  const at = lines.findIndex(
    (line, index) => index > header && index < end && new RegExp(`^\\s*${key}\\s*=`).test(line),
  )
  if (at < 0) lines.splice(header + 1, 0, entry)
  else lines[at] = entry
  return `${lines.join('\n')}\n`
}

/** Compares values of settings, which are plain: texts, numbers, lists and maps of them. */
function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
