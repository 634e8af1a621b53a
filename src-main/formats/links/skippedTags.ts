/** Makes a regular expression that steps over tags that are not needed: V8 compiles it to machine code, which reads a page three
 *  times as fast as TagScanner does character by character. It matches only tags that are written as nearly all
 *  are, in lower case and with quotes; TagScanner reads the rest.
 *
 *  It takes linear time. No text matches in two ways, so that it gives up after at most one step back per character, and
 *  whatever it has read of a tag by then, TagScanner reads and leaves behind. */

/** Number of tags that one match steps over, and of attributes in one of them. V8 keeps some bytes for each of them to be able to
 *  step back, and throws when they are more than 64 MiB. */
const tagsMax = 500
const attributesMax = 50

/** Returns an expression that matches, from a position, text and the tags in it up to the next that is needed: a start tag of one of
 *  the elements, or of any element with an attribute whose name begins with one of the prefixes. End tags are not
 *  needed. */
export function skippedTags(elements: Iterable<string>, attributePrefixes: Iterable<string>): RegExp {
  const space = '[ \\t\\n\\f\\r]'
  const value = `=(?:"[^"]*"|'[^']*')`
  const attribute = `${space}+(?!${[...attributePrefixes].join('|')})[a-z][a-z0-9:_-]*(?:${value})?`
  const startTag = `(?!(?:${[...elements].join('|')})\\b)[a-z][a-z0-9]*(?:${attribute}){0,${attributesMax}}${space}*/?>`
  return new RegExp(`[^<]*(?:<(?:/[a-z][a-z0-9]*>|${startTag})[^<]*){0,${tagsMax}}`, 'y')
}
