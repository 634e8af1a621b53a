/** Takes the CDX records out of a job's metadata WARC: the index that the harvester wrote as it went, one record for each
 *  archive file (`metadata://<organisation>/crawl/index/cdx?…&filename=…`). Only records that are whole are taken, and only where
 *  their first line says that the keys were made by our rules. */
import { canonicaliserVersionOfUrls, cdxjHeader } from '../formats/cdx/canonicaliser.ts'
import { readRecords } from '../formats/records/readRecords.ts'
import { recordField, type ArchiveRecord } from '../formats/records/record.ts'
import { DiskFault, type Task, type World } from '../world/world.ts'
import { writeWhole } from '../files/lineFile.ts'

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
  try {
    const file = await world.disk.openRead(path)
    try {
      for await (const item of readRecords(file)) {
        signal.throwIfAborted()
        const filename = archiveFileOf(item)
        const target = filename === undefined ? undefined : targets[filename]
        if (filename !== undefined && target !== undefined && (await take(world, item, target))) found.push(filename)
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

async function take(world: World, item: ArchiveRecord, target: string): Promise<boolean> {
  try {
    await writeWhole(world, target, async (append) => {
      for await (const bytes of keyedByOurRules(item.block())) await append(bytes)
      if (!(await item.finish()).whole) throw new Unfit()
    })
    return true
  } catch (error) {
    if (error instanceof Unfit) return false
    throw error
  }
}

const header = Buffer.from(`${cdxjHeader(canonicaliserVersionOfUrls)}\n`)

/** Passes on what begins with our header. Lines with another, or none, may have keys that our lookups do not find. */
async function* keyedByOurRules(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let seenBytes = 0
  for await (const part of bytes) {
    const expected = header.subarray(seenBytes, seenBytes + part.length)
    if (!expected.equals(part.subarray(0, expected.length))) throw new Unfit()
    seenBytes += part.length
    yield part
  }
  if (seenBytes < header.length) throw new Unfit()
}

/** The record ended early, or its keys were made by other rules: what was written of it is removed again. */
class Unfit extends Error {}
