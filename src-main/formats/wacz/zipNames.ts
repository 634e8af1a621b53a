/** Converts names in zip files from bytes to text, and from text to safe relative paths. */
import { finding, type Finding } from '../rules/finding.ts'
import { zipFlags, type EntryHeader } from './zipHeaders.ts'

/** A decoded name, with what is irregular about it. */
export interface EntryName {
  /** Name as written in the zip. */
  name: string
  /** Safe form of the name: parts separated by slashes, never empty, absolute, or outside of the package. */
  path: string
  findings: Finding[]
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Returns the name of an entry. `offset` is that of its header, for findings. */
export function entryName(header: Pick<EntryHeader, 'flags' | 'name' | 'unicodeName'>, offset: number): EntryName {
  const findings: Finding[] = []
  const utf8 = decoded(header.unicodeName ?? header.name)
  // APPNOTE 4.4.4 bit 11 and annex D: without the flag names are CP437. In practice they are UTF-8 even then, and text
  // in CP437 is unlikely to be valid UTF-8 by accident.
  const name = utf8 ?? codePage437(header.name)
  if (utf8 === undefined)
    findings.push(
      finding(
        header.flags & zipFlags.utf8 ? 'zipNameNotUtf8.declared' : 'zipNameNotUtf8',
        { name: quoted(name) },
        offset,
      ),
    )
  const path = harmlessPath(name)
  if (path !== name.replace(/\/$/, ''))
    findings.push(finding('zipNameClimbs', { name: quoted(name), path: quoted(path) }, offset))
  return { name, path, findings }
}

/** Returns text for a finding: quoted, shortened, and on one line. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 120 ? text.slice(0, 117) + '…' : text)
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return strictUtf8.decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

/** Returns a safe path. APPNOTE 4.4.17.1: no drive, no leading slash, no backslashes. It does not mention control
 *  characters and `..`, which are removed because attacks use them. */
function harmlessPath(name: string): string {
  const parts = name
    .replaceAll('\\', '/')
    .replace(/^[A-Za-z]:/, '')
    // oxlint-disable-next-line no-control-regex -- these are what is taken out
    .replace(/[\u0000-\u001f\u007f]/g, '_')
    .split('/')
    .filter((part) => part !== '' && part !== '.' && part !== '..')
  return parts.length === 0 ? '_' : parts.join('/')
}

function codePage437(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += byte < 128 ? String.fromCharCode(byte) : (upperHalf437[byte - 128] ?? '')
  return text
}

/** Characters of the bytes 128 to 255 in code page 437. */
const upperHalf437 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0'
