/** Digests as indexes spell them: the label, and base32. What a record or a line of another program says is brought into
 *  this one spelling, so that a revisit finds its original by comparing texts. */
import { digestAlgorithms, parseLabelledDigest, spellDigest } from '../bytes/digest.ts'

/** What nearly all records name; it needs no second look. */
const usualDigest = /^sha1:[A-Z2-7]{32}$/

/** Of a record's header. Undefined when it is of no known form, and then proves nothing. */
export function namedDigest(text: string): string | undefined {
  if (usualDigest.test(text)) return text
  const digest = parseLabelledDigest(text)
  return digest && spellDigest(digest)
}

/** Of an index line. Those of pywb, of old indexers and of Scoop leave the label out: the length tells the algorithm. */
export function labelledDigest(text: string): string {
  if (text === '' || text === '-') return ''
  if (text.includes(':')) return namedDigest(text) ?? text
  for (const algorithm of digestAlgorithms) {
    const digest = parseLabelledDigest(`${algorithm}:${text}`)
    if (digest) return spellDigest(digest)
  }
  return `sha1:${text}`
}
