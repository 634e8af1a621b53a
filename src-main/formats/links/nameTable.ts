/** Looks up names of a fixed set where they stand in a text, without copying them out of it: of the attributes of real
 *  pages nine in ten are not needed. The case of ASCII letters does not matter, that of others does (HTML 13.2.5.8
 *  and 13.2.5.33: only ASCII upper alpha is lowered). */
export class NameTable {
  readonly #slots: string[][] = Array.from({ length: slotCount }, () => [])

  /** `names` are in lower case and not empty. */
  constructor(names: Iterable<string>) {
    for (const name of new Set(names)) this.#slots[slotOf(name, 0, name.length)]?.push(name)
  }

  /** Returns the name that stands between two positions of the text, in lower case; empty when it is none of the
   *  set. */
  find(text: string, start: number, end: number): string {
    const slot = this.#slots[slotOf(text, start, end)] ?? []
    for (let at = 0; at < slot.length; at++) {
      const name = slot[at] ?? ''
      if (name.length === end - start && isNameAt(name, text, start)) return name
    }
    return ''
  }
}

const slotCount = 512

/** Returns the slot of a name, from its length and its first and last letter. */
function slotOf(text: string, start: number, end: number): number {
  const first = lowered(text.charCodeAt(start))
  const last = lowered(text.charCodeAt(end - 1))
  return ((first << 4) ^ (last << 1) ^ (end - start)) & (slotCount - 1)
}

/** Returns true when the text has the name, in any case of its ASCII letters, at the position. */
export function isNameAt(name: string, text: string, start: number): boolean {
  for (let at = 0; at < name.length; at++)
    if (lowered(text.charCodeAt(start + at)) !== name.charCodeAt(at)) return false
  return true
}

function lowered(code: number): number {
  return code >= 0x41 && code <= 0x5a ? code | 0x20 : code
}
