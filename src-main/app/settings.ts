/** The settings of an archive, out of its loupe.toml. A key that is not in the table is refused with the nearest known one;
 *  a change keeps the rest of the file, comments too, as it was. */
import { isAbsolute, join } from 'node:path'
import { parse, stringify, TomlError } from 'smol-toml'
import type { z } from 'zod'
import type { Setting } from '../contract/contract.ts'
import { Fault } from '../contract/faults.ts'
import type { CrawlSettings } from '../crawl/crawl.ts'
import { defaultCrawlSettings } from '../crawl/crawl.ts'
import type { World } from '../world/world.ts'
import { nearest } from './nearest.ts'
import { settingTable, type SettingRow } from './settingTable.ts'

/** A settings file is written by hand; one larger than this is something else. */
const settingsBytesMax = 1_000_000

export interface Settings {
  list(): Setting[]
  set(path: string, value: unknown): Promise<Setting>
  crawl(): CrawlSettings
  /** Name and absolute folder. */
  replicas(): { name: string; folder: string }[]
  number(path: 'viewer.port' | 'server.port'): number
}

/** Throws `Fault` badInput when the file is no TOML, has an unknown key or a value of a wrong kind. */
export async function openSettings(world: World, archiveFolder: string): Promise<Settings> {
  const path = join(archiveFolder, 'loupe.toml')
  const found = await world.disk.stat(path)
  let text = found ? new TextDecoder().decode(await world.disk.read(path, settingsBytesMax)) : ''
  let values = read(text, path)

  const valueOf = (row: SettingRow) => (values.has(row.path) ? values.get(row.path) : row.default)
  const settingOf = (row: SettingRow): Setting => ({
    path: row.path,
    kind: row.kind,
    ...(row.choices === undefined ? {} : { choices: [...row.choices] }),
    ...(row.unit === undefined ? {} : { unit: row.unit }),
    value: valueOf(row),
    default: row.default,
    source: values.has(row.path) ? 'loupe.toml' : 'default',
    meaning: row.meaning,
    atStart: row.atStart,
  })

  return {
    list: () => settingTable.map(settingOf),
    async set(settingPath, value) {
      const row = rowOf(settingPath)
      const checked = checkedValue(row, value)
      const edited = edit(text, settingPath, checked)
      const after = read(edited, path)
      if (JSON.stringify(after.get(settingPath)) !== JSON.stringify(checked)) {
        throw new Fault(
          'refused',
          `${settingPath} is written in ${path} in a way that only a person can change: please edit the file.`,
        )
      }
      await world.disk.write(path, new TextEncoder().encode(edited))
      text = edited
      values = after
      return settingOf(row)
    },
    crawl() {
      const entries = Object.keys(defaultCrawlSettings).map((name) => [name, valueOf(rowOf(`harvest.${name}`))])
      return Object.fromEntries(entries) as CrawlSettings
    },
    replicas: () =>
      Object.entries(valueOf(rowOf('replicas')) as Record<string, string>).map(([name, folder]) => ({
        name,
        folder: isAbsolute(folder) ? folder : join(archiveFolder, folder),
      })),
    number: (settingPath) => valueOf(rowOf(settingPath)) as number,
  }
}

function rowOf(path: string): SettingRow {
  const row = settingTable.find((candidate) => candidate.path === path)
  if (row) return row
  throw new Fault('notFound', unknownText(path, 'There is no setting'))
}

function unknownText(path: string, beginning: string): string {
  const near = nearest(
    path,
    settingTable.map((row) => row.path),
  )
  return `${beginning} "${path}"${near === undefined ? '' : `; the nearest known one is "${near}"`}.`
}

function read(text: string, path: string): Map<string, unknown> {
  let table
  try {
    table = parse(text)
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    throw new Fault(
      'badInput',
      `${path}, line ${error.line}: ${error.message.split('\n')[0]?.replace(/^Invalid TOML document: /, '') ?? ''}`,
    )
  }
  const values = new Map<string, unknown>()
  for (const [name, value] of flat(table)) {
    const row = settingTable.find((candidate) => candidate.path === name)
    if (!row) throw new Fault('badInput', unknownText(name, `${path}: there is no setting`))
    values.set(name, checkedValue(row, value))
  }
  return values
}

/** `[harvest] workers = 8` becomes `harvest.workers`; a map setting stays whole. */
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
  const [issue] = checked.error.issues
  throw new Fault('badInput', `${[row.path, ...(issue?.path ?? [])].join('.')}: ${textOf(issue)}.`)
}

/** A key that is refused says why one level deeper. */
function textOf(issue: z.core.$ZodIssue | undefined): string {
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
