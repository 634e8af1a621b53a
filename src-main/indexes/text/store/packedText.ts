/** Texts as they are stored, for snippets: short ones as they are, since setting up a compressor takes longer than it saves, and long ones cut. */
import { deflateRawSync, inflateRawSync } from 'node:zlib'

/** Characters from which a text is deflated. */
const packedCharactersMin = 4_096
const level = 1
/** Characters that are kept. Few texts are longer, and reading a million for a snippet takes too long. Words after them are found, too. */
const keptCharactersMax = 60_000

export function packText(text: string): string | Uint8Array {
  if (text.length < packedCharactersMin) return text
  const kept = text.length <= keptCharactersMax ? text : `${text.slice(0, keptCharactersMax)} …`
  return deflateRawSync(kept, { level })
}

export function unpackText(packed: string | Uint8Array): string {
  return typeof packed === 'string' ? packed : inflateRawSync(packed).toString('utf8')
}
