/** Converts a HAR to a WARC file in the job's folder (`formats/rewrite/convertHar.ts`). The same HAR yields the same WARC, byte
 *  for byte. */
import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { createGunzip } from 'node:zlib'
import { message } from '../../contract/words/message.ts'
import type { FilePacking } from '../../formats/recognise.ts'
import { Account } from '../../formats/rewrite/account.ts'
import { convertHar } from '../../formats/rewrite/convertHar.ts'
import type { TaskContext } from '../../world/world.ts'
import type { UnpackInput, UnpackedFile } from './unpacked.ts'
import { findingsOf } from './findings.ts'
import { unpackedHarBytesMax } from './limits.ts'
import { partPath, unpackedPath } from './localNames.ts'
import { removeIfThere } from './removeIfThere.ts'
import { rejection, type Rejection } from './rejection.ts'
import type { OpenSource } from './source.ts'
import { reportedChunks } from './reportedChunks.ts'
import { writeNew } from './writeNew.ts'

/** Converts the source; rejects a HAR that is compressed with zstd or contains no server response. */
export async function convertedHar(
  context: TaskContext<number>,
  input: UnpackInput,
  source: OpenSource,
  packing: FilePacking,
): Promise<UnpackedFile | Rejection> {
  if (packing === 'zstd') return rejection(message('import.rejected.harZstd'))
  const { world } = context
  const unpacked = unpackedPath(input.folder, input.file)
  const sha256 = createHash('sha256')
  let bytes = 0
  const chunks = reportedChunks(context, source, (chunk) => {
    sha256.update(chunk)
    bytes += chunk.length
  })
  try {
    // The HAR is always written to disk: the reader needs random access, which an entry of a package does not offer.
    await writeNew(world, unpacked, packing === 'gzip' ? gunzipped(chunks) : chunks)
    const { path, entry, software } = input
    const origin = { name: basename(entry === '' ? path : entry), bytes, sha256: sha256.digest('hex'), software }
    const account = new Account()
    const file = await world.disk.openRead(unpacked)
    try {
      await writeNew(world, partPath(input.folder, input.file), convertHar(file, { account, origin }))
    } finally {
      await file.close()
    }
    if (account.records === 0) return rejection(message('import.rejected.harEmpty'))
    return { kind: 'file', treatment: 'converted', sha256: origin.sha256, findings: findingsOf(account, origin.name) }
  } finally {
    await removeIfThere(world, unpacked)
  }
}

/** Decompresses up to the first damage or to `unpackedHarBytesMax`. The reader of the HAR then reports that the rest is missing. */
async function* gunzipped(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip()
  const feeding = feed(gunzip, chunks)
  let bytes = 0
  try {
    for await (const chunk of gunzip as AsyncIterable<Uint8Array>) {
      bytes += chunk.length
      if (bytes > unpackedHarBytesMax) return
      yield chunk
    }
  } catch (error) {
    // zlib reports damage with its own codes; any other error does not concern the bytes of this file.
    if (!(error instanceof Error && 'code' in error && String(error.code).startsWith('Z_'))) throw error
  } finally {
    gunzip.destroy()
    await feeding
  }
}

/** Feeds the decompressor; ends when everything is fed or the decompressor is destroyed. */
async function feed(gunzip: ReturnType<typeof createGunzip>, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  try {
    for await (const chunk of chunks) {
      if (gunzip.destroyed) return
      // A copy: the chunk is valid only until the next one.
      if (!gunzip.write(Uint8Array.from(chunk))) await drained(gunzip)
    }
    gunzip.end()
  } catch (error) {
    gunzip.destroy(error instanceof Error ? error : new Error(String(error)))
  }
}

function drained(gunzip: ReturnType<typeof createGunzip>): Promise<void> {
  return new Promise((resolve) => {
    gunzip.once('drain', resolve)
    gunzip.once('close', resolve)
  })
}
