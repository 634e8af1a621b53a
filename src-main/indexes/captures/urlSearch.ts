/** The URLs of an index in the order of their keys, each with its captures counted. A page reads a bounded number of keys and says where the
 *  next one begins. It goes from key to key by the primary key, so that a URL with a million captures takes as long as one with a few. */
import type { UrlMatch } from '../../contract/services/search.ts'
import { urlsAtOnce, urlCapturesMax, urlKeysMax } from '../model/limits.ts'
import type { KeyRange } from '../model/keyRanges.ts'
import { urlChoice } from '../model/urlPattern.ts'
import type { NewestOfUrl, urlStatements } from './urlSearch.sql.ts'

/** What is searched for. */
export interface UrlsAsked {
  text: string
  match: UrlMatch
  limit: number
  /** `next` of the previous page. */
  after?: string
  /** Whether the caller may see captures of a URL. Absent: of all. */
  isPermitted?: (url: string) => boolean
}

/** A URL with captures of GET requests, as a viewer looks it up. */
export interface CapturedUrl {
  /** The key, under which variants of the URL are one. */
  key: string
  /** Of the newest capture, as the following fields. */
  url: string
  mediaType: string
  status: number | null
  job: number | null
  lastMs: number
  firstMs: number
  /** At most `urlCapturesMax`. */
  captures: number
  hasMoreCaptures: boolean
}

/** A page of URLs. */
export interface UrlsPage {
  urls: CapturedUrl[]
  /** Keys that were read for it. */
  keysRead: number
  /** Where the next page begins. Undefined: this is the last one. A page may have few URLs or none, and a next one. */
  next: string | undefined
}

type Statements = ReturnType<typeof urlStatements>

/** Returns a page. Other requests get a turn between some keys. */
export async function searchUrls(statements: Statements, asked: UrlsAsked): Promise<UrlsPage> {
  const { ranges, accepts = () => true } = urlChoice(asked.text, asked.match)
  const { limit, isPermitted = () => true } = asked
  const urls: CapturedUrl[] = []
  let { after } = asked
  let keysRead = 0
  for (const range of ranges) {
    for (;;) {
      const key = statements.nextKey.get({ from: beginning(range, after), to: range.to })?.key
      if (key === undefined) break
      if (urls.length >= limit || keysRead >= urlKeysMax) return { urls, keysRead, next: after }
      keysRead += 1
      after = key
      const newest = statements.newestOfUrl.get({ key })
      if (newest && accepts(newest.url) && isPermitted(newest.url)) urls.push(counted(statements, key, newest))
      if (keysRead % urlsAtOnce === 0) await new Promise((others) => setImmediate(others))
    }
  }
  return { urls, keysRead, next: undefined }
}

/** The first key of a range after another key. No character of a key sorts before a blank. */
function beginning({ from }: KeyRange, after: string | undefined): string {
  return after === undefined || after < from ? from : `${after} `
}

function counted(statements: Statements, key: string, newest: NewestOfUrl): CapturedUrl {
  const firstMs = statements.oldestOfUrl.get({ key })?.firstMs ?? newest.lastMs
  const captures = statements.countOfUrl.get({ key, limit: urlCapturesMax + 1 })?.captures ?? 1
  const hasMoreCaptures = captures > urlCapturesMax
  return { key, ...newest, firstMs, captures: Math.min(captures, urlCapturesMax), hasMoreCaptures }
}
