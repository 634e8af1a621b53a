/** Takes the CDX records out of a job's metadata WARC: the index that the harvester wrote as it went, one record for each
 *  archive file (`metadata://<organisation>/crawl/index/cdx?…&filename=…`). Only records that are whole are taken, and only where
 *  their first line says that the keys were made by our rules. Earlier harvests left requests out of theirs: a harvest asks
 *  with GET alone, so these are the same keys; what was imported may hold answers to others, and is read anew. */
import { canonicaliserVersion, canonicaliserVersionOfUrls, cdxjHeader } from '../../formats/cdx/canonicaliser.ts'
import { readRecords } from '../../formats/records/readRecords.ts'
import { recordField, type ArchiveRecord } from '../../formats/records/record.ts'
import { DiskFault, type Task, type World } from '../../world/world.ts'
import { writeWhole } from '../../files/disk/lineFile.ts'

export interface MetadataIndexInput {
  path: string
  /** Archive file → where its lines go. Records of other files are left alone. */
  targets: Record<string, string>
}

/** Which archive files' lines were found, up to where the metadata file could be read. */
export interface MetadataIndexOutcome {
  found: string[]
}

export const task: Task<MetadataIndexInput, MetadataIndexOutcome> = async ({ world, signal }, { path, targets }) => {
  const found: string[] = []
  let isImport = false
  try {
    const file = await world.disk.openRead(path)
    try {
      for await (const item of readRecords(file)) {
        signal.throwIfAborted()
        isImport ||= isImportReport(item)
        const filename = archiveFileOf(item)
        const target = filename === undefined ? undefined : targets[filename]
        if (filename === undefined || target === undefined) continue
        if (await take(world, item, { target, headers: isImport ? [header] : [header, headerOfUrls] }))
          found.push(filename)
      }
    } finally {
      await file.close()
    }
  } catch (error) {
    // What the metadata does not give is read from the archive file itself, so this is a detour and no fault.
    if (!(error instanceof DiskFault)) throw error
  }
  return { found }
}

/** The file that this record lists the captures of. Only CDXJ is taken: the older columns lack what replay needs. */
function archiveFileOf(item: ArchiveRecord): string | undefined {
  const url = /^metadata:\/\/[^/]*\/crawl\/index\/cdx\?(.*)$/.exec(recordField(item, 'warc-target-uri') ?? '')
  const mediaType = recordField(item, 'content-type')?.split(';')[0]?.trim()
  if (url?.[1] === undefined || mediaType !== 'application/x-cdxj') return undefined
  return new URLSearchParams(url[1]).get('filename') ?? undefined
}

/** It comes before the index records (`crawl/completion.ts`). */
function isImportReport(item: ArchiveRecord): boolean {
  return /^metadata:\/\/[^/]*\/crawl\/reports\/import-report\./.test(recordField(item, 'warc-target-uri') ?? '')
}

interface Taking {
  target: string
  headers: readonly Buffer[]
}

async function take(world: World, item: ArchiveRecord, { target, headers }: Taking): Promise<boolean> {
  try {
    await writeWhole(world, target, async (append) => {
      for await (const bytes of keyedByOurRules(item.block(), headers)) await append(bytes)
      if (!(await item.finish()).whole) throw new Unfit()
    })
    return true
  } catch (error) {
    if (error instanceof Unfit) return false
    throw error
  }
}

const header = Buffer.from(`${cdxjHeader(canonicaliserVersion)}\n`)
const headerOfUrls = Buffer.from(`${cdxjHeader(canonicaliserVersionOfUrls)}\n`)

/** Passes on what begins with one of these headers, as if it were ours. Lines with another, or none, may have keys that our
 *  lookups do not find. */
async function* keyedByOurRules(
  bytes: AsyncIterable<Uint8Array>,
  headers: readonly Buffer[],
): AsyncGenerator<Uint8Array> {
  const longest = Math.max(...headers.map(({ length }) => length))
  let first: Uint8Array = new Uint8Array(0)
  let isFit = false
  for await (const part of bytes) {
    if (isFit) {
      yield part
      continue
    }
    first = Buffer.concat([first, part])
    if (first.length < longest) continue
    yield* underOurHeader(first, headers)
    isFit = true
  }
  if (!isFit) yield* underOurHeader(first, headers)
}

function* underOurHeader(bytes: Uint8Array, headers: readonly Buffer[]): Generator<Uint8Array> {
  const found = headers.find((each) => each.equals(bytes.subarray(0, each.length)))
  if (!found) throw new Unfit()
  yield header
  yield bytes.subarray(found.length)
}

/** The record ended early, or its keys were made by other rules: what was written of it is removed again. */
class Unfit extends Error {}
