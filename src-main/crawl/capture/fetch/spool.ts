/** The bytes of one answer while it arrives: in memory while it is small and all answers together are, in a file of the job's
 *  folder beyond that, so that memory is bounded by the setting and not by what servers send. Each spool has one writer and is
 *  read later. */
import { join } from 'node:path'
import type { World, WritableFile } from '../../../world/world.ts'
import { bodyNameOf } from '../../model/bodyFile.ts'
import { answerBytesInMemoryMax } from '../../model/limits.ts'
import { allowanceOf, type Allowance } from '../../model/memory.ts'

export interface SpooledBytes {
  readonly bytes: number
  /** The bytes from the start, in chunks of at most one megabyte. */
  read(): AsyncIterable<Uint8Array>
}

export interface Spool extends SpooledBytes {
  /** The whole, while it is in memory; undefined when it went to a file. */
  readonly memory: Uint8Array[] | undefined
  append(chunk: Uint8Array): Promise<void>
  /** The first `bytesMax` bytes. */
  head(bytesMax: number): Promise<Uint8Array>
  /** Gives the file back; idempotent. */
  discard(): Promise<void>
}

const readChunkBytes = 1_048_576

/** Where the file lies, if there is one. */
export interface SpoolPlace {
  folder: string
  /** Of the run that writes it. */
  runId: string
}

/** `answers`: the memory that is shared with others; without it one spool has as much as an answer may have. */
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

/** A file that is there already, read like a spool. */
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
