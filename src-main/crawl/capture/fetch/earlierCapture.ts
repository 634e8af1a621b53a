/** Reads an earlier capture of a document that the server reports as unchanged: from the job's own file while that is not yet in
 *  the archive, otherwise from a replica. It is read only for its links; nothing is written. */
import type { CapturePlace } from '../../model/document.ts'
import { join } from 'node:path'
import type { Archive } from '../../../archive/store/archive.ts'
import { parseResponseHead, type HttpHead } from '../../../formats/http/http.ts'
import type { ByteSource } from '../../../formats/bytes/fileWindow.ts'
import { readRecordAt } from '../../../formats/records/readRecords.ts'
import { DiskFault, type ReadableFile, type World } from '../../../world/world.ts'
import { extractBytesMax, headBytesMax } from '../../model/limits.ts'

/** The part of an answer that is needed to extract its links. */
export interface EarlierCapture {
  head: HttpHead
  response: {
    head(bytesMax: number): Promise<Uint8Array>
    /** All bytes, where they are in memory. */
    readonly memory?: Uint8Array[] | undefined
  }
}

/** Places where earlier captures are searched. */
export interface EarlierSetting {
  world: World
  archive: Pick<Archive, 'openFile'>
  /** The job's folder. */
  folder: string
}

/** Reads the capture at this place; undefined if no copy yields the record, so that the document must be fetched from the
 *  server. */
export async function earlierCapture(
  setting: EarlierSetting,
  { fileName, offset }: CapturePlace,
): Promise<EarlierCapture | undefined> {
  try {
    const file = await opened(setting, fileName)
    if (file === undefined) return undefined
    try {
      return await captureIn(file, offset)
    } finally {
      await file.close()
    }
  } catch (error) {
    if (error instanceof DiskFault) return undefined
    throw error
  }
}

async function opened({ world, archive, folder }: EarlierSetting, name: string): Promise<ReadableFile | undefined> {
  // Most earlier captures are in the archive, where files stay open; looking into the folder costs two calls of the system.
  const archived = await archive.openFile(name)
  if (archived) return archived.file
  const path = join(folder, name)
  for (const local of [path, `${path}.open`]) {
    if (await world.disk.stat(local)) return world.disk.openRead(local)
  }
  return undefined
}

async function captureIn(file: ByteSource, offset: number): Promise<EarlierCapture | undefined> {
  const record = await readRecordAt(file, offset)
  if (record?.type !== 'response') return undefined
  const bytes = await firstBytes(record.block(), headBytesMax + extractBytesMax)
  const head = parseResponseHead(bytes)?.head
  if (head === undefined) return undefined
  return { head, response: { head: async (bytesMax) => bytes.subarray(0, bytesMax) } }
}

async function firstBytes(block: AsyncIterable<Uint8Array>, bytesMax: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of block) {
    chunks.push(chunk.subarray(0, bytesMax - bytes))
    bytes += chunk.length
    if (bytes >= bytesMax) break
  }
  return Buffer.concat(chunks)
}
