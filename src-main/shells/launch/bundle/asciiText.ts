/**
 * Writes code in ASCII. V8 keeps the text of a module while it is loaded, with two bytes per character when Node has read any character beyond
 * ASCII (measured with Node 24: also for those of Latin-1). Most modules of Loupe have a dash or a quotation mark in a text.
 */

/** Replaces every character beyond ASCII by its escape, which means the same in strings, templates, regular expressions and names. Text of
 *  `String.raw` is an exception: it must not have such characters. */
export function asciiText(code: string): string {
  return code.replaceAll(/[\u0080-\uFFFF]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
