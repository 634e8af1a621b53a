/** Results that have come before those of earlier numbers, in files of the job's folder, so that memory does not depend on how long the line
 *  waits and a kill loses no answer. A file is not synced: after a power cut its checksum tells whether it is whole, and if it is not, the
 *  document is fetched again.
 *
 *  Layout: length of the head in bytes (32 bits, little-endian); the head, which is the result serialized by V8; the compressed main record;
 *  CRC-32 of all of it. */
import { join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { crc32 } from 'node:zlib'
import { DiskFault, type ReadableFile, type World } from '../../world/world.ts'
import type { CaptureRecords } from '../capture/records/records.ts'
import type { SpoolPlace } from '../capture/fetch/spool.ts'
import { earlyResultIn, earlyResultNameOf } from '../model/bodyFile.ts'
import { answerBytesInMemoryMax } from '../model/limits.ts'
import type { Result } from '../settle/result.ts'

/** The early results of one run. */
export interface EarlyResults {
  /** Writes a result; returns the length of its file in bytes. Its body is no longer needed afterwards. */
  keep(number: number, result: Result): Promise<number>
  /** Length of the file in bytes; undefined if it is not there as it was written. */
  wholeBytes(number: number): Promise<number | undefined>
  /** Reads a result. `release` of a fetched one does nothing: `remove` removes the file. */
  read(number: number): Promise<Result>
  remove(number: number): Promise<void>
  /** Removes the files of results that are not among these numbers. */
  removeOthers(numbers: Pick<ReadonlySet<number>, 'has'>): Promise<void>
}

const lengthBytes = 4
const checksumBytes = 4

/** Opens the early results of a run. */
export function earlyResults(world: World, { folder, runId }: SpoolPlace): EarlyResults {
  const { disk } = world
  const pathOf = (number: number) => join(folder, earlyResultNameOf(runId, number))

  /** Opens the file of a result for `act`. */
  async function withFile<T>(number: number, act: (file: EarlyFile) => Promise<T>): Promise<T> {
    const path = pathOf(number)
    const file = await disk.openRead(path)
    try {
      return await act({ path, file, bytes: await file.bytes() })
    } finally {
      await file.close()
    }
  }

  async function* bodyOf(number: number, from: number, bytes: number): AsyncGenerator<Uint8Array> {
    const file = await disk.openRead(pathOf(number))
    try {
      yield* bytesIn({ path: pathOf(number), file }, from, bytes)
    } finally {
      await file.close()
    }
  }

  return {
    async keep(number, result) {
      const path = pathOf(number)
      if (await disk.stat(path)) await disk.remove(path)
      const file = await disk.openWrite(path, 'create')
      let checksum = 0
      const append = async (chunks: Uint8Array[]) => {
        for (const chunk of chunks) checksum = crc32(chunk, checksum)
        await file.append(chunks)
      }
      try {
        const { head, body } = divided(result)
        const length = Buffer.alloc(lengthBytes)
        length.writeUInt32LE(head.length)
        if (Array.isArray(body)) await append([length, head, ...body])
        else {
          await append([length, head])
          for await (const chunk of body) await append([chunk])
        }
        const end = Buffer.alloc(checksumBytes)
        end.writeUInt32LE(checksum)
        await file.append([end])
        return file.position
      } finally {
        await file.close()
      }
    },
    async wholeBytes(number) {
      if (!(await disk.stat(pathOf(number)))) return undefined
      return withFile(number, async (file) => {
        if (file.bytes < lengthBytes + checksumBytes) return undefined
        let checksum = 0
        for await (const part of bytesIn(file, 0, file.bytes - checksumBytes)) checksum = crc32(part, checksum)
        const stored = await joined(file, file.bytes - checksumBytes, checksumBytes)
        return stored.readUInt32LE(0) === checksum ? file.bytes : undefined
      })
    },
    read: (number) =>
      withFile(number, async (file) => {
        const headBytes = (await joined(file, 0, lengthBytes)).readUInt32LE(0)
        const head = await joined(file, lengthBytes, headBytes)
        const from = lengthBytes + headBytes
        const bytes = file.bytes - from - checksumBytes
        const isLong = bytes > answerBytesInMemoryMax
        return together(head, isLong ? bodyOf(number, from, bytes) : [await joined(file, from, bytes)])
      }),
    remove: (number) => disk.remove(pathOf(number)),
    async removeOthers(numbers) {
      for (const { name } of await disk.list(folder)) {
        const found = earlyResultIn(name)
        if (found && !(found.runId === runId && numbers.has(found.number))) await disk.remove(join(folder, name))
      }
    },
  }
}

/** An open file of a result. */
interface EarlyFile {
  path: string
  file: ReadableFile
  bytes: number
}

async function* bytesIn(
  { path, file }: Pick<EarlyFile, 'path' | 'file'>,
  from: number,
  bytes: number,
): AsyncGenerator<Uint8Array> {
  for (let at = from; at < from + bytes;) {
    const part = new Uint8Array(Math.min(answerBytesInMemoryMax, from + bytes - at))
    const read = await file.read(part, at)
    if (read === 0) throw new DiskFault('failed', path)
    yield part.subarray(0, read)
    at += read
  }
}

async function joined(file: EarlyFile, from: number, bytes: number): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const part of bytesIn(file, from, bytes)) parts.push(part)
  return Buffer.concat(parts)
}

type Fetched = Extract<Result, { kind: 'fetched' }>
/** A result without what cannot be serialized. Objects that it names twice are one object again when it is read. */
type Head =
  | Exclude<Result, Fetched>
  | (Omit<Fetched, 'release' | 'records'> & { records: Omit<CaptureRecords, 'response'> })

function divided(result: Result): { head: Buffer; body: CaptureRecords['response'] } {
  if (result.kind !== 'fetched') return { head: serialize(result satisfies Head), body: [] }
  const { release: _release, records, ...rest } = result
  const { response, ...others } = records
  return { head: serialize({ ...rest, records: others } satisfies Head), body: response }
}

function together(head: Uint8Array, response: CaptureRecords['response']): Result {
  const result = deserialize(head) as Head
  if (result.kind !== 'fetched') return result
  return { ...result, records: { ...result.records, response }, release: () => Promise.resolve() }
}
