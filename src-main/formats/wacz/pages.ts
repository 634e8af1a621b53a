/** Reads and writes page lists of a WACZ, pages.jsonl: a line for the list, then one for each page.
 *
 *      {"format":"json-pages-1.0","id":"pages","title":"All pages"}
 *      {"id":"1","url":"https://example.org/","ts":"2024-01-01T00:00:00Z","title":"Example"} */

import { finding, type Finding } from '../rules/finding.ts'
import { linesOf } from '../bytes/lines.ts'
import { objectOf } from '../bytes/json.ts'
import { quoted } from './zipNames.ts'

/** A page at which a reader may start; `id` and `text` (extracted, for search) are optional. */
export interface Page {
  url: string
  /** Time in RFC 3339. */
  ts: string
  title?: string
  id?: string
  text?: string
  /** Bytes of the page with all its resources. */
  size?: number
}

/** The list itself, as its first line describes it. */
export interface PageList {
  id: string
  title: string
}

/** Value of `format` in the first line. */
const pagesFormat = 'json-pages-1.0'

/** Yields the pages of a list, and findings for invalid lines. */
export async function* readPages(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<{ page: Page } | { finding: Finding }> {
  let first = true
  for await (const { number, text, cut } of linesOf(chunks)) {
    if (text.trim() === '') continue
    const row = cut ? undefined : objectOf(text)
    // The first line describes the list.
    const format = typeof row?.format === 'string' && row.url === undefined ? row.format : undefined
    if (first && format === undefined) yield { finding: finding('waczPagesHeaderMissing') }
    else if (first && format !== undefined && format !== pagesFormat)
      yield { finding: finding('waczPagesHeaderMissing.format', { format: quoted(format) }) }
    first = false
    if (format !== undefined) continue
    const page = row && pageOf(row)
    if (page) yield { page }
    else yield { finding: finding('waczPageInvalid', { line: number, text: quoted(text) }) }
  }
  if (first) yield { finding: finding('waczPagesHeaderMissing.empty') }
}

function pageOf(row: Readonly<Record<string, unknown>>): Page | undefined {
  const { url, ts, title, id, text, size } = row
  if (typeof url !== 'string' || url === '' || typeof ts !== 'string' || !isRfc3339(ts)) return undefined
  return {
    url,
    ts,
    ...(typeof title === 'string' && { title }),
    ...(typeof id === 'string' && { id }),
    ...(typeof text === 'string' && { text }),
    ...(typeof size === 'number' && { size }),
  }
}

/** Returns true for a valid time of RFC 3339, 5.6. */
function isRfc3339(text: string): boolean {
  return (
    /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(Date.parse(text))
  )
}

/** Yields the lines of a page list, each with a line end, so that lists can be concatenated. */
export async function* writePages(
  list: PageList,
  pages: AsyncIterable<Page> | Iterable<Page>,
): AsyncGenerator<Uint8Array> {
  yield line({ format: pagesFormat, id: list.id, title: list.title })
  for await (const { id, url, ts, title, text, size } of pages) yield line({ id, url, ts, title, text, size })
}

/** Serialises a line; undefined members are omitted. */
function line(value: Readonly<Record<string, unknown>>): Uint8Array {
  return Buffer.from(`${JSON.stringify(value)}\n`)
}
