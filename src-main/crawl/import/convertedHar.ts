/** Converts a HAR to a WARC file in the job's folder (`formats/rewrite/convertHar.ts`). The same HAR yields the same WARC, byte
 *  for byte. */
import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { message } from '../../contract/words/message.ts'
import { gunzipped } from '../../formats/packing/gunzipped.ts'
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
    await writeNew(world, unpacked, packing === 'gzip' ? unpackedHar(chunks) : chunks)
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
async function* unpackedHar(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const chunk of gunzipped(chunks)) {
    bytes += chunk.length
    if (bytes > unpackedHarBytesMax) return
    yield chunk
  }
}
