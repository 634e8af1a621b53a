/** Extracts the links of an answer from its bytes. Runs in the thread of the bodies (`bodies/`). */
import { decodeContent, payloadOf } from '../../../formats/http/http.ts'
import { extractLinks, type Link } from '../../../formats/links/links.ts'
import { isGzip } from '../../../formats/packing/gzipMembers.ts'
import { extractBytesMax, linksMax } from '../../model/limits.ts'

/** An answer that may contain links. */
export interface BodyLinksInput {
  url: string
  /** As in its header: in lower case and empty if missing. */
  mediaType: string
  charset: string | undefined
  /** Whether its list led here as a sitemap, so it may be a gzip file. */
  isSitemap: boolean
  /** The answer from its status line, in chunks; `headBytes` are its header. */
  block: readonly Uint8Array[]
  headBytes: number
}

/** Extracts links somewhere: in this thread or in another. */
export interface LinkWork {
  links(input: BodyLinksInput): Promise<Link[]>
}

/** Extracts the links in document order. */
export function bodyLinks({ block, headBytes, isSitemap, ...source }: BodyLinksInput): Link[] {
  const [first] = block
  const bytes = first && block.length === 1 ? first : Buffer.concat(block)
  const { entity } = payloadOf(bytes.subarray(0, headBytes + extractBytesMax), extractBytesMax)
  // A sitemap.xml.gz is a gzip file by its nature, not by its content coding.
  const body = isSitemap ? decodeContent(entity, isGzip(entity) ? ['gzip'] : [], extractBytesMax).bytes : entity
  return extractLinks({ ...source, body, linksMax }).links
}
