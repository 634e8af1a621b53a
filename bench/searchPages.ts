/** Pages of real documentation from Debian's packages (`realSite.ts`), as documents of the text index. */
import { readFileSync, readdirSync } from 'node:fs'
import { join, sep } from 'node:path'
import { textFormOf, extractText } from '../src-main/formats/text/extractText.ts'
import { payloadDigest } from '../src-main/indexes/text/build/archivedDocuments.ts'
import type { TextDocument } from '../src-main/indexes/text/store/textWriter.ts'
import type { ExtractedText } from '../src-main/formats/text/extracted.ts'
import { siteFolder, siteSources } from './realSite.ts'

/** A page that was read. */
export type ReadPage = TextDocument & { text: ExtractedText }

/** Characters of pages that only lead to another page. */
const stubCharactersMax = 300

/** Reads the pages of a site, and reports the bytes of HTML and the seconds that reading took. */
export async function sitePages(site: string): Promise<{ pages: ReadPage[]; htmlBytes: number; seconds: number }> {
  const source = siteSources[site]
  if (!source) throw new Error(`there is no site ${site}`)
  const folder = await siteFolder(source)
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.html'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
  const pages: ReadPage[] = []
  let htmlBytes = 0
  let seconds = 0
  for (const path of paths) {
    const body = readFileSync(path)
    const url = `http://${site}.example/${path.slice(folder.length + 1).replaceAll(sep, '/')}`
    const begunMs = performance.now()
    const read = { url, mediaType: 'text/html', charset: 'utf-8', body }
    const form = textFormOf(read)
    const text = form === 'pdf' || form === 'none' ? undefined : extractText(read, form)
    seconds += (performance.now() - begunMs) / 1_000
    htmlBytes += body.length
    if (text && text.text.length >= stubCharactersMax) pages.push(documentOf(url, body, text))
  }
  return { pages, htmlBytes, seconds }
}

/** Repeats pages until there are `count`; each repetition has a word of its own, so that it is another content. */
export function repeated(pages: readonly ReadPage[], count: number): ReadPage[] {
  return Array.from({ length: count }, (_, at) => {
    const page = pages[at % pages.length]
    if (!page) throw new Error('there are no pages')
    const copy = Math.floor(at / pages.length)
    if (copy === 0) return page
    const text = { ...page.text, text: `${page.text.text}\ncopy${copy}` }
    return { ...page, url: `${page.url}?${copy}`, key: `${page.key} ${copy}`, text }
  })
}

function documentOf(url: string, body: Uint8Array, text: ExtractedText): ReadPage {
  const key = `${payloadDigest(body)} text/html utf-8`
  const place = { job: 1, capturedMs: 1_700_000_000_000, part: '', status: 200, mediaType: 'text/html' }
  return { ...place, url, file: '1-1-a.warc.gz', offset: 0, key, text }
}
