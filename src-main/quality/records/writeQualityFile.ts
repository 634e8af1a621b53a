/** Writes one quality file: WARC 1.1, one gzip member for each record, a warcinfo first. It has a temporary name until it is complete and
 *  synced, so it exists completely or not at all. */
import { dirname } from 'node:path'
import { levelFor } from '../../formats/packing/gzip.ts'
import { warcMemberStreamed, type RecordHeader } from '../../formats/records/warcWriter.ts'
import { DiskFault, type WritableFile, type World } from '../../world/world.ts'

/** A record about a job. */
export interface QualityRecord {
  /** The target URI: `urn:loupe:…` or `metadata:…`. */
  uri: string
  type: 'metadata' | 'resource'
  contentType: string
  body: Uint8Array
  /** Milliseconds since 1970 UTC. */
  atMs: number
}

/** A file to write. */
export interface NewQualityFile {
  path: string
  name: string
  job: number
  /** When the job was made, ISO 8601: recovery knows it by its number and this time. */
  jobCreated: string
  software: string
  records: Iterable<QualityRecord> | AsyncIterable<QualityRecord>
  /** Called with each record that was written, and its offset in the file. */
  onWritten?: ((record: QualityRecord, offset: number) => void) | undefined
}

/** Writes the file; its folder exists. Rejects with `DiskFault`, or as `records` does: then nothing is left of it. */
export async function writeQualityFile(
  world: Pick<World, 'disk' | 'chance' | 'clock'>,
  file: NewQualityFile,
): Promise<void> {
  const { disk } = world
  const open = `${file.path}${openEnding}`
  if (await disk.stat(open)) await disk.remove(open)
  const target = await disk.openWrite(open, 'create')
  try {
    let offset = await append(world, target, warcinfo(file, world.clock.now()))
    for await (const record of file.records) {
      const bytes = await append(world, target, record)
      file.onWritten?.(record, offset)
      offset += bytes
    }
    await target.sync()
  } catch (error) {
    await target.close()
    await removeIfPossible(world, open)
    throw error
  }
  await target.close()
  await disk.rename(open, file.path)
  await disk.syncFolder(dirname(file.path))
}

/** End of the name of a file while it is written. */
const openEnding = '.open'

/** Whether a file of this name is incomplete. */
export function isOpenName(name: string): boolean {
  return name.endsWith(openEnding)
}

/** Removes a file. A disk that refuses even that is the fault that is thrown already; the next start removes the file. */
async function removeIfPossible({ disk }: Pick<World, 'disk'>, path: string): Promise<void> {
  try {
    await disk.remove(path)
  } catch (error) {
    if (!(error instanceof DiskFault)) throw error
  }
}

type Written = Omit<QualityRecord, 'type' | 'uri'> & {
  type: 'warcinfo' | QualityRecord['type']
  fields: RecordHeader['fields']
}

function warcinfo({ name, job, jobCreated, software }: NewQualityFile, atMs: number): Written {
  const lines = [
    `software: ${software}`,
    'format: WARC File Format 1.1',
    `isPartOf: ${job}`,
    `jobCreated: ${jobCreated}`,
  ]
  return {
    type: 'warcinfo',
    fields: [['WARC-Filename', name]],
    contentType: 'application/warc-fields',
    body: Buffer.from(`${lines.join('\r\n')}\r\n`),
    atMs,
  }
}

/** Appends a record. Returns its length in the file, in bytes. */
async function append(
  { chance }: Pick<World, 'chance'>,
  target: WritableFile,
  given: QualityRecord | Written,
): Promise<number> {
  const { type, contentType, body, atMs } = given
  const fields = 'fields' in given ? given.fields : [['WARC-Target-URI', given.uri] as const]
  const { chunks } = await warcMemberStreamed(
    {
      ...{ version: '1.1', type, fields, contentType, id: chance.uuid(), dateMs: atMs, blockBytes: body.length },
      ...(type === 'resource' && { payload: { offset: 0 } }),
      block: () => parts(body),
    },
    levelFor(contentType, ''),
  )
  let bytes = 0
  for await (const chunk of chunks) {
    await target.append([chunk])
    bytes += chunk.length
  }
  return bytes
}

/** Bytes that are compressed at a time, between which other calls are answered. */
const partBytes = 64 * 1024

async function* parts(body: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < body.length; from += partBytes) yield body.subarray(from, from + partBytes)
}
