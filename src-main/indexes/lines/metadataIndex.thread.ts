/** Extracts the CDX records of a job's metadata WARC: the index that the harvester wrote, one record per archive file
 *  (`metadata://<organisation>/crawl/index/cdx?…&filename=…`). Only complete records are used, and only if their first line
 *  says that the keys were made by the current rules. Earlier harvests left out requests other than GET. A harvest sends only
 *  GET, so its keys are the same; imported files may contain others and are read again. */
import { canonicaliserVersion, canonicaliserVersionOfUrls, cdxjHeader } from '../../formats/cdx/canonicaliser.ts'
import { readRecords } from '../../formats/records/readRecords.ts'
import { recordField, type ArchiveRecord } from '../../formats/records/record.ts'
import { DiskFault, type Task, type World } from '../../world/world.ts'
import { writeWhole } from '../../files/disk/lineFile.ts'

/** A metadata WARC, and where its lines are written. `path`: a copy of the file. */
export interface MetadataIndexInput {
  path: string
  /** Target path per archive file. Records of other files are ignored. */
  targets: Record<string, string>
}

/** Archive files whose lines were found before the metadata file ended or could not be read further. */
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
    // Lines that the metadata does not have are made from the archive file, so this is not an error.
    if (!(error instanceof DiskFault)) throw error
  }
  return { found }
}

/** The archive file whose captures this record lists. Only CDXJ is used, because older formats lack fields that replay needs. */
function archiveFileOf(item: ArchiveRecord): string | undefined {
  const url = /^metadata:\/\/[^/]*\/crawl\/index\/cdx\?(.*)$/.exec(recordField(item, 'warc-target-uri') ?? '')
  const mediaType = recordField(item, 'content-type')?.split(';')[0]?.trim()
  if (url?.[1] === undefined || mediaType !== 'application/x-cdxj') return undefined
  return new URLSearchParams(url[1]).get('filename') ?? undefined
}

/** Whether this is the report of an import, which precedes the index records. */
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

/** Passes on content that begins with one of these headers, replacing it by the current one. Other content may have keys that
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

/** The record is truncated, or its keys were made by other rules. What was written of it is removed. */
class Unfit extends Error {}
