/** Texts as they are stored: short ones as they are, since setting up a compressor takes longer than it saves. */
import { deflateRawSync, inflateRawSync } from 'node:zlib'

/** Characters from which a text is deflated. */
const packedCharactersMin = 4_096
const level = 1

export function packText(text: string): string | Uint8Array {
  return text.length < packedCharactersMin ? text : deflateRawSync(text, { level })
}

export function unpackText(packed: string | Uint8Array): string {
  return typeof packed === 'string' ? packed : inflateRawSync(packed).toString('utf8')
}
