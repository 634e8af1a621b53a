/** Converts digests to the spelling of indexes, the label and base32, so that a revisit finds its original by
 *  comparing text. */
import { digestAlgorithms, parseLabelledDigest, spellDigest } from '../bytes/digest.ts'

/** Spelling of nearly all records, which needs no conversion. */
const usualDigest = /^sha1:[A-Z2-7]{32}$/

/** Converts a digest of a record's header. Returns undefined when its form is unknown; such a digest is not
 *  compared. */
export function namedDigest(text: string): string | undefined {
  if (usualDigest.test(text)) return text
  const digest = parseLabelledDigest(text)
  return digest && spellDigest(digest)
}

/** Converts a digest of an index line. pywb, old indexers and Scoop omit the label: the length then identifies the
 *  algorithm. */
export function labelledDigest(text: string): string {
  if (text === '' || text === '-') return ''
  if (text.includes(':')) return namedDigest(text) ?? text
  for (const algorithm of digestAlgorithms) {
    const digest = parseLabelledDigest(`${algorithm}:${text}`)
    if (digest) return spellDigest(digest)
  }
  return `sha1:${text}`
}
