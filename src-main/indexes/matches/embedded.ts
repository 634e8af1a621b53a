/** Reads what an archived document needs to be displayed: the URLs that it embeds, or the one that it redirects to. */
import { mediaTypeOf } from '../../formats/cdx/capture.ts'
import { parseTimestamp } from '../../formats/cdx/timestamp.ts'
import { charsetParameter, fieldOf, locationOf, payloadOf, type HttpHead } from '../../formats/http/http.ts'
import { extractLinks } from '../../formats/links/links.ts'
import { readRecordAt } from '../../formats/records/readRecords.ts'
import { recordField, type ArchiveRecord } from '../../formats/records/record.ts'
import { namedDigest } from '../../formats/cdx/indexDigest.ts'
import { DiskFault, type ReadableFile, type World } from '../../world/world.ts'
import type { Revisited } from '../captures/originals.ts'
import { embeddedBytesMax, embeddedLinksMax, openCopiesMax } from '../model/limits.ts'

/** Place of a record. */
export interface RecordPlace {
  filename: string
  offset: number
}

/** What a record says about others. */
export type ReadRecord =
  | { kind: 'document'; embedded: string[] }
  /** A revisit of this URL, whose original has the content. */
  | { kind: 'revisit'; url: string; original: Revisited }
  /** It cannot be read. */
  | { kind: 'unreadable' }

/** Types of documents that embed others. */
const embedding = /^(?:text\/(?:html|css|xml)|application\/(?:xhtml\+xml|xml)|image\/svg\+xml|)$/

/** Whether a document that a page embeds may need others. What an error page embeds is not needed. */
export function mayNeed({ mediaType, status = 0 }: { mediaType: string; status: number | undefined }): boolean {
  return isRedirect(status) || (status < 400 && embedding.test(mediaType.toLowerCase()))
}

/** Reads records from copies of archive files. The files that were used last stay open. */
export interface RecordReading {
  /** `asUrl`: the URL of the capture, if the record is its original. References in the content are relative to it. */
  at(place: RecordPlace, asUrl?: string): Promise<ReadRecord>
  close(): Promise<void>
}

/** Makes the reader. `copies`: path of a copy of each file, by its name. */
export function recordReading({ disk }: Pick<World, 'disk'>, copies: ReadonlyMap<string, string>): RecordReading {
  const open = new Map<string, ReadableFile>()

  async function fileOf(name: string): Promise<ReadableFile | undefined> {
    const path = copies.get(name)
    if (path === undefined) return undefined
    const file = open.get(name) ?? (await disk.openRead(path))
    open.delete(name)
    open.set(name, file)
    const [oldest] = open
    if (open.size > openCopiesMax && oldest) {
      open.delete(oldest[0])
      await oldest[1].close()
    }
    return file
  }

  return {
    async at({ filename, offset }, asUrl) {
      try {
        const file = await fileOf(filename)
        const record = file && (await readRecordAt(file, offset))
        return record ? await readIn(record, asUrl) : { kind: 'unreadable' }
      } catch (error) {
        if (error instanceof DiskFault) return { kind: 'unreadable' }
        throw error
      }
    },
    async close() {
      for (const file of open.values()) await file.close()
    },
  }
}

async function readIn(record: ArchiveRecord, asUrl: string | undefined): Promise<ReadRecord> {
  const url = asUrl ?? record.url
  if (url === undefined) return { kind: 'unreadable' }
  if (record.type === 'revisit') return { kind: 'revisit', url, original: originalIn(record, url) }
  const block = await blockOf(record)
  const isHttp = /^application\/http\b/i.test(record.contentType ?? '')
  const { head, entity } = isHttp ? payloadOf(block, embeddedBytesMax) : { head: undefined, entity: block }
  const mediaType = (isHttp ? head && fieldOf(head, 'content-type') : record.contentType) ?? ''
  return { kind: 'document', embedded: embeddedIn({ url, head, mediaType, body: entity }) }
}

interface DocumentRead {
  url: string
  head: HttpHead | undefined
  mediaType: string
  body: Uint8Array
}

function embeddedIn({ url, head, mediaType, body }: DocumentRead): string[] {
  if (head && isRedirect(head.status)) {
    const target = locationOf(head, url)
    return target ? [target.href] : []
  }
  if (!embedding.test(mediaTypeOf(mediaType).toLowerCase())) return []
  const { links } = extractLinks({
    ...{ url, mediaType, charset: charsetParameter(mediaType), linksMax: embeddedLinksMax },
    body: body.subarray(0, embeddedBytesMax),
  })
  return links.filter(({ kind }) => kind === 'embed').map((link) => link.url)
}

function originalIn(record: ArchiveRecord, url: string): Revisited {
  return {
    url: recordField(record, 'warc-refers-to-target-uri') ?? url,
    atMs: parseTimestamp(recordField(record, 'warc-refers-to-date') ?? ''),
    payloadDigest: namedDigest(recordField(record, 'warc-payload-digest') ?? '') ?? '',
  }
}

/** Returns the block, cut. */
async function blockOf(record: ArchiveRecord): Promise<Uint8Array> {
  if (record.heldBlock) return record.heldBlock
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of record.block()) {
    chunks.push(chunk.slice())
    bytes += chunk.length
    if (bytes > embeddedBytesMax) break
  }
  return Buffer.concat(chunks)
}

function isRedirect(status: number): boolean {
  return status >= 300 && status < 400
}
