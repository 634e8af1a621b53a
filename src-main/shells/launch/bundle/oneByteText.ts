/**
 * Writes code in characters of one byte. V8 keeps the text of a module while it is loaded, with two bytes per character when any of them is
 * beyond Latin-1. Most modules of Loupe have a dash or a quotation mark of that kind in a text.
 */

/** Replaces every character beyond Latin-1 by its escape, which means the same in strings, templates, regular expressions and names. Text of
 *  `String.raw` is an exception: it must not have such characters. */
export function oneByteText(code: string): string {
  return code.replaceAll(/[\u0100-\uFFFF]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
