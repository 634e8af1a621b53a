/**
 * Pages among the records of an export: HTML answers with status 200, with their titles, in the order of their time of capture. They are
 * written to the disk as they are found: a selection may have millions.
 */
import { surt } from '../../formats/cdx/surt.ts'
import { parseTimestamp } from '../../formats/cdx/timestamp.ts'
import { fieldOf, payloadOf, type HttpHead } from '../../formats/http/http.ts'
import { extractLinks } from '../../formats/links/links.ts'
import type { ArchiveRecord } from '../../formats/records/record.ts'
import type { Page } from '../../formats/wacz/pages.ts'
import type { RunPlace } from '../disk/sortedLines.ts'
import { pageBytesMax } from './limits.ts'
import { SortedRuns } from './sortedRuns.ts'

/** The page with which readers begin. */
export interface FirstPage {
  url: string
  ts: string
}

/** Finds pages among records. */
export class PageFinder {
  readonly #runs: SortedRuns
  /** Addresses of likely start pages, the likeliest first. */
  readonly #beginAt: string[]
  #first: (FirstPage & { rank: number }) | undefined

  constructor(place: RunPlace, beginAt: readonly string[]) {
    this.#runs = new SortedRuns(place)
    this.#beginAt = beginAt.map(surt)
  }

  /** Passes a block through unchanged and examines its beginning once it has passed. */
  async *passing(record: ArchiveRecord, block: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const isCandidate = record.type === 'response' && /^https?:/i.test(record.url ?? '')
    const parts: Uint8Array[] = []
    let bytes = 0
    for await (const part of block) {
      if (isCandidate && bytes < pageBytesMax) parts.push(Uint8Array.from(part.subarray(0, pageBytesMax - bytes)))
      bytes += part.length
      yield part
    }
    const page = isCandidate ? pageIn(record, Buffer.concat(parts)) : undefined
    if (page) await this.#add(page)
  }

  /** The start page: the requested URL, a seed, or else the earliest page. */
  get first(): FirstPage | undefined {
    return this.#first && { url: this.#first.url, ts: this.#first.ts }
  }

  /** Yields all pages. Can be called only once. */
  async *pages(): AsyncGenerator<Page> {
    // The stored form of a page: a time, a blank, JSON.
    for await (const line of this.#runs.lines()) yield JSON.parse(line.slice(line.indexOf(' '))) as Page
  }

  close(): Promise<void> {
    return this.#runs.close()
  }

  async #add(page: Page): Promise<void> {
    const { url, ts } = page
    const known = this.#beginAt.indexOf(surt(url))
    const rank = known < 0 ? this.#beginAt.length : known
    const first = this.#first
    if (!first || rank < first.rank || (rank === first.rank && ts < first.ts)) this.#first = { url, ts, rank }
    await this.#runs.add(`${ts} ${JSON.stringify(page)}`)
  }
}

/** Returns the page in a response; undefined when the response is not a page. */
function pageIn(record: ArchiveRecord, block: Uint8Array): Page | undefined {
  const { url = '', date } = record
  const timeMs = parseTimestamp(date)
  const { head, entity } = payloadOf(block, pageBytesMax)
  if (timeMs === undefined || !head || head.status !== 200 || !isHtml(head)) return undefined
  const contentType = fieldOf(head, 'content-type') ?? ''
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1]
  const { title } = extractLinks({ url, mediaType: contentType, charset, body: entity, linksMax: 0 })
  const ts = new Date(timeMs).toISOString()
  return title === undefined ? { url, ts } : { url, ts, title }
}

function isHtml(head: HttpHead): boolean {
  return /^\s*(text\/html|application\/xhtml\+xml)\s*(;|$)/i.test(fieldOf(head, 'content-type') ?? '')
}
