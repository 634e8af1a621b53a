/** Decompresses gzip data (RFC 1952) that comes in chunks. Members of a file are read by `members.ts`, which needs random access
 *  and reports what is wrong. */
import { createGunzip } from 'node:zlib'
import { Unpacker } from './unpacker.ts'

/** Yields the content up to the end of the data or the first damage. Calls `onDamage` if the data are damaged or their end is
 *  missing. Memory is bounded, whatever the data expand to. Rejects only with an error of `chunks`. */
export async function* gunzipped(
  chunks: AsyncIterable<Uint8Array>,
  onDamage: () => void = () => undefined,
): AsyncGenerator<Uint8Array> {
  const unpacker = new Unpacker(createGunzip())
  try {
    for await (const chunk of chunks) {
      yield* unpacker.unpack(chunk)
      if (unpacker.ended) return
    }
    yield* unpacker.finish()
  } catch (error) {
    if (!isDamage(error)) throw error
    onDamage()
  } finally {
    unpacker.close()
  }
}

/** Whether zlib reported that the data are damaged or incomplete. */
function isDamage(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')
}
