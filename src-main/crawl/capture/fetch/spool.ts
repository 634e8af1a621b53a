/** The bytes of one answer while it arrives: in memory while this answer and all answers together are small, beyond that in a
 *  file of the job's folder, so that memory use does not depend on what servers send. Each spool has one writer and is read
 *  later. */
import { join } from 'node:path'
import type { World, WritableFile } from '../../../world/world.ts'
import { bodyNameOf } from '../../model/bodyFile.ts'
import { answerBytesInMemoryMax } from '../../model/limits.ts'
import { allowanceOf, type Allowance } from '../../model/memory.ts'

/** Bytes of known length that can be read more than once. */
export interface SpooledBytes {
  readonly bytes: number
  /** The bytes from the start, in chunks of at most one megabyte. */
  read(): AsyncIterable<Uint8Array>
}

/** The bytes of one answer, in memory or in a file. */
export interface Spool extends SpooledBytes {
  /** All bytes, while they are in memory; undefined once they are in a file. */
  readonly memory: Uint8Array[] | undefined
  append(chunk: Uint8Array): Promise<void>
  /** The first `bytesMax` bytes. */
  head(bytesMax: number): Promise<Uint8Array>
  /** Releases the memory and removes the file; idempotent. */
  discard(): Promise<void>
}

const readChunkBytes = 1_048_576

/** Location of the file, which is created only if it is needed. */
export interface SpoolPlace {
  folder: string
  /** Id of the run that writes it. */
  runId: string
}

/** Creates an empty spool. `answers` is the memory allowance shared with other spools; by default, this one may use as much as
 *  a single answer may have. */
export function spoolIn(
  world: World,
  { folder, runId }: SpoolPlace,
  answers: Allowance = allowanceOf(answerBytesInMemoryMax),
): Spool {
  let bytes = 0
  let bytesInMemory = 0
  let memory: Uint8Array[] | undefined = []
  let file: WritableFile | undefined
  let path = ''

  function giveBack(): void {
    answers.giveBack(bytesInMemory)
    bytesInMemory = 0
  }

  async function* read(): AsyncIterable<Uint8Array> {
    if (memory) yield* memory
    else yield* bytesOfFile(world, path, bytes)
  }

  return {
    get bytes() {
      return bytes
    },
    get memory() {
      return memory
    },
    async append(chunk) {
      bytes += chunk.length
      if (memory && bytes <= answerBytesInMemoryMax && answers.take(chunk.length)) {
        memory.push(chunk)
        bytesInMemory = bytes
        return
      }
      if (!file) {
        path = join(folder, bodyNameOf(runId, world.chance.uuid()))
        file = await world.disk.openWrite(path, 'create')
        await file.append(memory ?? [])
        memory = undefined
        giveBack()
      }
      await file.append([chunk])
    },
    read,
    async head(bytesMax) {
      const chunks: Uint8Array[] = []
      let taken = 0
      for await (const chunk of read()) {
        chunks.push(chunk.subarray(0, bytesMax - taken))
        taken += chunk.length
        if (taken >= bytesMax) break
      }
      return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)
    },
    async discard() {
      memory = memory && []
      giveBack()
      if (!file) return
      await file.close()
      file = undefined
      await world.disk.remove(path)
    },
  }
}

/** Reads an existing file like a spool; a missing file has no bytes. */
export async function spoolOfFile(world: World, path: string): Promise<SpooledBytes> {
  const entry = await world.disk.stat(path)
  const bytes = entry?.bytes ?? 0
  return { bytes, read: () => bytesOfFile(world, path, bytes) }
}

async function* bytesOfFile(world: World, path: string, bytes: number): AsyncIterable<Uint8Array> {
  if (bytes === 0) return
  const source = await world.disk.openRead(path)
  try {
    for (let position = 0; position < bytes;) {
      const chunk = new Uint8Array(Math.min(readChunkBytes, bytes - position))
      const filled = await source.read(chunk, position)
      if (filled === 0) throw new Error(`${path} is shorter than what was written to it`)
      yield chunk.subarray(0, filled)
      position += filled
    }
  } finally {
    await source.close()
  }
}
