/** Reads what is really on the disk after a power cut and at the end: the files of the replicas, record by record, with the reader of
 *  `formats` and independent of the engine's database. What must hold is in `invariants.ts`. */
import { join } from 'node:path'
import { parseCdxjLine } from '../formats/cdx/cdxj.ts'
import { digester, sha1Base32 } from '../formats/bytes/digest.ts'
import { payloadOf } from '../formats/http/http.ts'
import { sourceOf } from '../formats/bytes/testing/sourceOf.ts'
import { readRecords } from '../formats/records/readRecords.ts'
import { recordField, type ArchiveRecord } from '../formats/records/record.ts'
import type { Store } from '../storage/storage.ts'
import type { SeededWorld } from '../world/testing/seeded.ts'
import type { World } from '../world/world.ts'
import type { HarvestOptions } from './plan.ts'
import { textOf } from '../contract/words/render.ts'

/** The replicas of every scenario that have copies. */
export const replicas = [
  { name: 'one', folder: '/replicas/one' },
  { name: 'two', folder: '/replicas/two' },
]
/** The replica of every scenario that has checksums only. */
export const checksumReplica = { name: 'sums', folder: '/replicas/sums', kind: 'checksums' } as const
/** Folders of the archive in every scenario. */
export const incomingFolder = '/archive/incoming'
export const quarantineFolder = '/archive/quarantine'
export const jobsFolder = '/archive/jobs'

/** A machine at rest: its world, its database, and the job that is examined. */
export interface Evidence {
  world: SeededWorld
  store: Store
  job: number
  options: HarvestOptions
}

/** Identifies a capture: `<file> <offset> <url>`. */
export type Place = string

/** A file of a replica as its bytes show it. */
export interface FoundFile {
  name: string
  sha256: string
  /** URL and place of each response record, and of each revisit of a later run. */
  captures: { url: string; place: Place }[]
  /** Places named by the index lines in a metadata file. */
  listed: Place[]
  /** Violations found in its records, as sentences. */
  findings: string[]
}

/** Many times the size of a generated site. */
const fileBytesMax = 100_000_000

/** Returns the identifier of a capture. */
export function placeOf(file: string, offset: number, url: string): Place {
  return `${file} ${offset} ${url}`
}

/** Reads the entry for a file from the text of the replica of checksums. */
export async function entryIn(world: World, name: string): Promise<string | undefined> {
  const path = join(checksumReplica.folder, 'SHA256SUMS')
  const text = (await world.disk.stat(path)) ? Buffer.from(await world.disk.read(path, fileBytesMax)).toString() : ''
  const lines = text.split('\n').filter((line) => line.endsWith(`  ${name}`))
  return lines.length === 1 ? lines[0]?.slice(0, 64) : undefined
}

/** Lists the files of a replica that have their final names; an absent folder has none. */
export async function filesIn(world: World, folder: string): Promise<FoundFile[]> {
  const names = await namesIn(world, folder)
  return Promise.all(
    names
      .filter((name) => !name.startsWith('.'))
      .map(async (name) => readFile(name, await bytesOf(world, join(folder, name)))),
  )
}

/** Lists the names in a folder; an absent folder has none. */
export async function namesIn(world: World, folder: string): Promise<string[]> {
  if (!(await world.disk.stat(folder))) return []
  return (await world.disk.list(folder)).map(({ name }) => name)
}

/** Returns the checksum of a file in hexadecimal; undefined for an absent file. */
export async function sha256Of(world: World, path: string): Promise<string | undefined> {
  return (await world.disk.stat(path)) && sha256(await bytesOf(world, path))
}

function bytesOf(world: World, path: string): Promise<Uint8Array> {
  return world.disk.read(path, fileBytesMax)
}

function sha256(bytes: Uint8Array): string {
  const running = digester('sha256')
  running.update(bytes)
  return running.hex()
}

async function readFile(name: string, bytes: Uint8Array): Promise<FoundFile> {
  const file: FoundFile = { name, sha256: sha256(bytes), captures: [], listed: [], findings: [] }
  const report = (offset: number, text: string) => file.findings.push(`${name} at ${offset}: ${text}`)
  for await (const item of readRecords(sourceOf(bytes), {
    onFinding: ({ offset, message }) => report(offset ?? 0, textOf(message)),
  })) {
    await readRecord(item, file, report)
  }
  return file
}

async function readRecord(
  item: ArchiveRecord,
  file: FoundFile,
  report: (offset: number, text: string) => void,
): Promise<void> {
  const chunks: Uint8Array[] = []
  for await (const chunk of item.block()) chunks.push(Uint8Array.from(chunk))
  const { whole, findings } = await item.finish()
  for (const { message } of findings) report(item.offset, textOf(message))
  if (!whole) report(item.offset, 'The record is not whole.')
  const block = Buffer.concat(chunks)
  if (recordField(item, 'warc-block-digest') !== sha1Base32([block]))
    report(item.offset, 'The block digest does not agree.')
  const url = recordField(item, 'warc-target-uri') ?? ''
  if (item.type === 'response') {
    const { payload } = payloadOf(block, fileBytesMax)
    if (recordField(item, 'warc-payload-digest') !== sha1Base32([payload]))
      report(item.offset, 'The payload digest does not agree.')
  }
  if (item.type === 'response' || item.type === 'revisit')
    file.captures.push({ url, place: placeOf(file.name, item.offset, url) })
  if (url.startsWith('metadata://loupe/crawl/index/')) file.listed.push(...listedIn(block.toString('utf8')))
}

function listedIn(lines: string): Place[] {
  return lines.split('\n').flatMap((line) => {
    const capture = line === '' ? undefined : parseCdxjLine(line)
    return capture ? [placeOf(capture.filename, capture.offset, capture.url)] : []
  })
}
