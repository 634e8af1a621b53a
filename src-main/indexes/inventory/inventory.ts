/** The indexes on the disk, as users list and drop them. All of them are derived: what is dropped is built again when it is needed. */
import { join } from 'node:path'
import { DiskFault, type Disk, type Entry } from '../../world/world.ts'
import { selectionOf, type WholeSelection } from '../../contract/shapes/selection.ts'
import { keptAt } from '../captures/manifest.ts'
import { isTemporary } from '../databases/leftovers.ts'
import { openDedupFile } from '../dedup/dedupFile.ts'

/** `lines`: the index lines of the files of one job. `captures`: a database of captures. `crawlLog`: the crawl log of one job. `dedup`: a
 *  deduplication index. */
export type IndexKind = 'lines' | 'captures' | 'crawlLog' | 'dedup'

/** An index on the disk. */
export interface KeptIndex {
  kind: IndexKind
  /** Name of its file or folder. */
  name: string
  /** What it covers; null: its content is damaged or of another version, and it will be built again. */
  selection: WholeSelection | null
  /** Archive files that it covers, and those that could not be read. */
  files: number
  filesMissing: number
  bytes: number
  modifiedAtMs: number
  /** A caller reads it or waits for it. */
  isInUse: boolean
}

/** Where the indexes are. */
export interface InventoryParts {
  disk: Disk
  folders: Record<IndexKind, string>
  /** By the name of the file. Lines are in use while anything is built from them. */
  isInUse: (kind: IndexKind, name: string) => boolean
}

const suffixes = { captures: '.db', crawlLog: '.db', dedup: '.dedup' } as const
const kinds = Object.keys(suffixes) as (keyof typeof suffixes)[]

/** Lists the indexes, in the order of their kinds and names. */
export async function keptIndexes(parts: InventoryParts): Promise<KeptIndex[]> {
  const { disk, folders, isInUse } = parts
  const found = await linesKept(parts)
  for (const kind of kinds) {
    for (const entry of await disk.list(folders[kind])) {
      const { name, bytes, modifiedAtMs } = entry
      if (!name.endsWith(suffixes[kind])) continue
      const covered = await coverageOf(kind, { folder: folders[kind], name, disk })
      found.push({ kind, name, ...covered, bytes, modifiedAtMs, isInUse: isInUse(kind, name) })
    }
  }
  return found
}

async function linesKept({ disk, folders: { lines }, isInUse }: InventoryParts): Promise<KeptIndex[]> {
  const found: KeptIndex[] = []
  for (const { name, kind, modifiedAtMs } of await disk.list(lines)) {
    if (kind !== 'folder') continue
    const entries = (await disk.list(join(lines, name))).filter((entry) => !isTemporary(entry.name))
    if (entries.length === 0) continue
    const files = entries.filter((entry) => entry.name.endsWith('.cdxj')).length
    const selection = /^\d+$/.test(name) ? selectionOf({ jobs: [Number(name)] }) : selectionOf({})
    found.push({
      ...{ kind: 'lines' as const, name, selection, files, filesMissing: 0, modifiedAtMs },
      bytes: entries.reduce((sum, { bytes }) => sum + bytes, 0),
      isInUse: isInUse('lines', name),
    })
  }
  return found
}

type Coverage = Pick<KeptIndex, 'selection' | 'files' | 'filesMissing'>

const unknown: Coverage = { selection: null, files: 0, filesMissing: 0 }

async function coverageOf(
  kind: keyof typeof suffixes,
  { folder, name, disk }: { folder: string; name: string; disk: Disk },
): Promise<Coverage> {
  if (kind === 'crawlLog')
    return { ...unknown, selection: selectionOf({ jobs: [Number(name.slice(0, name.indexOf('.')))] }) }
  const path = join(folder, name)
  if (kind === 'dedup') {
    const file = await openDedupFile(path, disk).catch(undefinedIfFault)
    await file?.close()
    if (file === undefined) return unknown
    const { jobsFound, jobsMissing, files, filesMissing } = file.manifest
    const selection = selectionOf({ jobs: [...jobsFound, ...jobsMissing] })
    return { selection, files: files.length, filesMissing: filesMissing.length }
  }
  const kept = await keptAt(path, disk)
  if (kept === undefined) return unknown
  const { isAll, jobsAsked, filesAsked, files, filesMissing } = kept.manifest
  const selection = selectionOf({ jobs: jobsAsked, files: filesAsked, all: isAll })
  return { selection, files: files.length, filesMissing: filesMissing.length }
}

/** Removes an index. Returns whether it is gone: one that came into use stays, and on Windows one that is open. */
export async function dropIndex(
  { disk, folders, isInUse }: InventoryParts,
  { kind, name }: KeptIndex,
): Promise<boolean> {
  if (isInUse(kind, name)) return false
  const folder = folders[kind]
  try {
    if (kind === 'lines')
      for (const entry of await disk.list(join(folder, name))) await remove(disk, join(folder, name), entry)
    else for (const entry of await disk.list(folder)) if (entry.name.startsWith(name)) await remove(disk, folder, entry)
    return true
  } catch (error) {
    if (error instanceof DiskFault) return false
    throw error
  }
}

async function remove(disk: Disk, folder: string, { name, kind }: Entry): Promise<void> {
  if (kind === 'file' && !isTemporary(name)) await disk.remove(join(folder, name))
}

function undefinedIfFault(error: unknown): undefined {
  if (!(error instanceof DiskFault)) throw error
}
