/** A search for URLs as ranges of keys, and what their URLs must look like besides. Pure. */
import type { UrlMatch } from '../../contract/services/search.ts'
import { keyRanges, type KeyRange } from './keyRanges.ts'

/** What is searched for. */
export interface UrlChoice {
  /** In ascending order, without overlap. */
  ranges: KeyRange[]
  /** Absent: every URL of the ranges. */
  accepts?: (url: string) => boolean
}

/** Returns the choice of a text. The scheme and `www.` do not matter. A pattern without a slash may be a host: `*.example.org`, or the end
 *  of a URL: `*.pdf`. As in CDX servers, `*.example.org` is also about the host itself. */
export function urlChoice(text: string, match: UrlMatch): UrlChoice {
  if (match !== 'pattern') return { ranges: keyRanges(text, match) }
  const pattern = withoutScheme(text.toLowerCase())
  const asHost = pattern.includes('/') ? [] : [`${pattern}/*`]
  const bare = [pattern, ...asHost].filter((each) => each.startsWith('*.')).map((each) => each.slice(2))
  const alternatives = [pattern, ...asHost, ...bare].map((each) => each.split('*'))
  const accepts = (url: string) => {
    const plain = withoutScheme(url.toLowerCase())
    return alternatives.some((pieces) => isMatch(plain, pieces))
  }
  return { ranges: rangesOf(pattern), accepts }
}

/** Ranges that hold all matches: those of the host if the pattern names one, and all keys otherwise. */
function rangesOf(pattern: string): KeyRange[] {
  const [, isBelow, host] = /^(\*\.)?([^/*]+)\//.exec(pattern.includes('*') ? pattern : `${pattern}/`) ?? []
  if (host === undefined) return [everything]
  return keyRanges(host, isBelow === undefined ? 'host' : 'domain')
}

/** Keys are printable ASCII. */
const everything: KeyRange = { from: '', to: '\u007f' }

/** Whether the pieces follow each other in the text, the first at its beginning and the last at its end. Taking the first place of each
 *  is right, because what follows may be anywhere after it; so the time is linear in the text for each piece. */
function isMatch(text: string, pieces: readonly string[]): boolean {
  const [first = '', ...others] = pieces
  const last = others.pop()
  if (last === undefined) return text === first
  if (!text.startsWith(first)) return false
  let at = first.length
  for (const piece of others) {
    const place = text.indexOf(piece, at)
    if (place < 0) return false
    at = place + piece.length
  }
  return text.length - last.length >= at && text.endsWith(last)
}

function withoutScheme(url: string): string {
  return url.replace(/^https?:\/\//, '').replace(/^www\d*\./, '')
}
