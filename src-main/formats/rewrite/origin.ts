/** Describes the origin of records that were made from another file, in fields of those records. WARC 1.1, 4, allows
 *  additional fields, and readers ignore unknown ones. */

/** The source file, as described in the new file. */
export interface Origin {
  /** File name without folders. */
  name: string
  bytes: number
  sha256: string
  /** Name and version of the writing program. */
  software: string
}

/** Field of each converted record, with a value such as `name.arc.gz; offset=1234`. */
export const convertedFromField = 'Converted-From'

/** Field of a converted record with an invalid date: the location of the record whose date was used. */
export const dateFromField = 'Converted-Date-From'

/** Returns the location of a record in the source as the value of a field. */
export function placeText({ name }: Origin, offset: number): string {
  return `${fieldText(name)}; offset=${offset}`
}

/** Escapes text for a field: file names may contain any character except NUL and slash, but fields no line ends. */
export function fieldText(text: string): string {
  return text.replace(
    /[^ -~\u0080-\uffff]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  )
}

/** Returns the block of a warcinfo record, application/warc-fields (WARC 1.1, 6.2 and annex B). */
export function warcFields(fields: readonly (readonly [name: string, value: string])[]): Uint8Array {
  return Buffer.from(fields.map(([name, value]) => `${name}: ${fieldText(value)}\r\n`).join(''), 'utf8')
}

/** Fields about the file format in every warcinfo written by Loupe. */
export const formatFields: readonly [name: string, value: string][] = [
  ['format', 'WARC File Format 1.1'],
  ['conformsTo', 'http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/'],
]
