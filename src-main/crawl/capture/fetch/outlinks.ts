/** Outlinks of an answer over HTTP: the links of a page or a list, the target of a redirect, the sitemaps of a robots.txt. Only
 *  the spooled bytes are read. */
import { percentEncodedBytes, utf8Of } from '../../../formats/bytes/rawText.ts'
import { canonicalUrl } from '../../../formats/cdx/surt.ts'
import { charsetParameter, fieldOf, locationOf, payloadOf, type HttpHead } from '../../../formats/http/http.ts'
import { parseRobots } from '../../../formats/links/robots.ts'
import type { DocumentToFetch } from '../../model/document.ts'
import { extractBytesMax, redirectsMax, robotsBytesMax } from '../../model/limits.ts'
import type { Outlink } from '../../model/outlink.ts'
import type { EarlierCapture } from './earlierCapture.ts'
import type { LinkWork } from './bodyLinks.ts'
import type { Answered } from './outcome.ts'

/** Returns the outlinks of an answer. If the server reported the document as unchanged, they are those of the earlier capture. */
export async function linksOf(
  document: DocumentToFetch,
  answered: EarlierCapture & Pick<Answered, 'earlier'>,
  work: LinkWork,
): Promise<Outlink[]> {
  return document.role === 'robots' ? sitemapsIn(answered) : linksIn(document, answered.earlier ?? answered, work)
}

async function linksIn(
  document: DocumentToFetch,
  { head, response }: EarlierCapture,
  work: LinkWork,
): Promise<Outlink[]> {
  const redirect = head.status >= 300 && head.status < 400 ? locationOf(head, document.url) : undefined
  if (redirect) return redirects(document.hopPath) < redirectsMax ? canonical(redirect.href, 'redirect') : []
  if (head.status < 200 || head.status >= 300) return []
  const { mediaType, charset } = contentTypeOf(head)
  if (document.role !== 'sitemap' && !mayHoldLinks(mediaType)) return []
  const block = response.memory ?? [await response.head(head.bytes + extractBytesMax)]
  const isSitemap = document.role === 'sitemap'
  return work.links({ url: document.url, mediaType, charset, isSitemap, block, headBytes: head.bytes })
}

async function sitemapsIn({ head, response }: EarlierCapture): Promise<Outlink[]> {
  if (head.status < 200 || head.status >= 300) return []
  const text = await robotsText({ head, response })
  return parseRobots(text).sitemaps.flatMap((url) => canonical(url, 'sitemap'))
}

/** One outlink with its canonical URL, or none if the text is not a URL. */
function canonical(text: string, kind: Outlink['kind']): Outlink[] {
  const url = canonicalUrl(text)
  return url === undefined ? [] : [{ url, kind }]
}

/** Text of a robots.txt, at most `robotsBytesMax` bytes of it. */
export async function robotsText({ head, response }: EarlierCapture): Promise<string> {
  const { entity } = payloadOf(await response.head(head.bytes + robotsBytesMax), robotsBytesMax)
  const bytes = Buffer.from(entity.buffer, entity.byteOffset, entity.length).toString('latin1')
  // RFC 9309 section 2.2.2 compares octets: if the file is not UTF-8, they are percent-encoded as in a request.
  return utf8Of(bytes) ?? percentEncodedBytes(bytes)
}

/** A media type (RFC 9110 section 8.3.1), bounded in length. Any other text would shift the columns of the crawl log. */
const mediaTypePattern = /^[a-z0-9!#$%&'*+.^_`|~-]{1,100}\/[a-z0-9!#$%&'*+.^_`|~-]{1,100}$/

/** Media type in lower case, empty if missing or malformed, and the charset as sent. */
export function contentTypeOf(head: HttpHead): { mediaType: string; charset: string | undefined } {
  const field = fieldOf(head, 'content-type') ?? ''
  const charset = charsetParameter(field)
  const mediaType = (field.split(';')[0] ?? '').trim().toLowerCase()
  return { mediaType: mediaTypePattern.test(mediaType) ? mediaType : '', charset }
}

/** Whether a document of this type is searched for links. Images, audio, video, fonts and archives are not; everything else is,
 *  since servers mislabel text. */
function mayHoldLinks(mediaType: string): boolean {
  if (mediaType === 'image/svg+xml') return true
  return !/^(image|audio|video|font)\/|^application\/(pdf|zip|gzip|x-gzip|octet-stream|wasm|javascript|json)/.test(
    mediaType,
  )
}

/** Number of consecutive redirects at the end of a hop path. */
function redirects(hopPath: string): number {
  return /R*$/.exec(hopPath)?.[0].length ?? 0
}
