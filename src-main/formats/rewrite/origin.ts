/** Where records came from that were made from another file, as they say it themselves. WARC 1.1, 4 leaves room for fields of
 *  one's own, and readers pass over what they do not know. */

/** The file that was read, as the new file names it. */
export interface Origin {
  /** Its name without folders. */
  name: string
  bytes: number
  sha256: string
  /** The program that writes, with its version. */
  software: string
}

/** The field of each converted record: `name.arc.gz; offset=1234`. */
export const convertedFromField = 'Converted-From'

/** The field of a converted record whose own date cannot be read: the place of the record whose date it has instead. */
export const dateFromField = 'Converted-Date-From'

export function placeText({ name }: Origin, offset: number): string {
  return `${fieldText(name)}; offset=${offset}`
}

/** File names may hold anything but NUL and a slash; a field may not hold line ends. */
export function fieldText(text: string): string {
  return text.replace(
    /[^ -~\u0080-\uffff]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  )
}

/** application/warc-fields (WARC 1.1, 6.2 and annex B): the block of a warcinfo record. */
export function warcFields(fields: readonly (readonly [name: string, value: string])[]): Uint8Array {
  return Buffer.from(fields.map(([name, value]) => `${name}: ${fieldText(value)}\r\n`).join(''), 'utf8')
}

/** What every warcinfo of ours says of the file itself. */
export const formatFields: readonly [name: string, value: string][] = [
  ['format', 'WARC File Format 1.1'],
  ['conformsTo', 'http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/'],
]
