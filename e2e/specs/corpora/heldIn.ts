/** Reads the records of an archive file independently of the code under test. It ignores framing: wherever the decompressed bytes
 *  contain the head of a record, there is a record, so that files which a strict reader rejects are read too. */
import { gunzipSync, constants } from 'node:zlib'
import { fromBuffer, type Entry } from 'yauzl'

/** A record in an archive file. */
export interface Held {
  url: string
  /** WARC-Type; `response` for every record of an ARC file. */
  type: string
  /** Status of the HTTP response in the record; undefined when it holds none. */
  status: number | undefined
  mediaType: string
}

/** Reads a WARC or ARC file, compressed or not, or a WACZ that contains such files. */
export async function heldIn(bytes: Buffer): Promise<Held[]> {
  if (bytes.toString('latin1', 0, 2) === 'PK') {
    const inside = await archivesIn(bytes)
    return (await Promise.all(inside.map(heldIn))).flat()
  }
  const text = unpacked(bytes).toString('latin1')
  return /^WARC\//i.test(text) ? inWarc(text) : inArc(text)
}

/** The addresses of successful captures of HTML pages, each once, in the order of the file. */
export function pagesOf(held: readonly Held[]): string[] {
  const isPage = ({ url, type, status, mediaType }: Held) =>
    /^https?:/i.test(url) && type === 'response' && status === 200 && pageTypes.has(mediaType)
  return [...new Set(held.filter(isPage).map(({ url }) => url))]
}

const pageTypes = new Set(['text/html', 'application/xhtml+xml'])

function unpacked(bytes: Buffer): Buffer {
  // Decompresses as much as possible, since the end of a file may be missing.
  return bytes.readUInt16BE(0) === 0x1f8b ? gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH }) : bytes
}

const warcHead = /^WARC\/\d\.\d+[ \t]*\r?\n((?:.+\r?\n)+)\r?\n/gim

function inWarc(text: string): Held[] {
  return [...text.matchAll(warcHead)].flatMap(({ 0: all, 1: fields = '', index }) => {
    const url = fieldIn(fields, 'WARC-Target-URI')?.replace(/^<(.*)>$/, '$1')
    const type = fieldIn(fields, 'WARC-Type')?.toLowerCase()
    if (url === undefined || type === undefined) return []
    const isHttp = /^application\/http/i.test(fieldIn(fields, 'Content-Type') ?? '')
    const block = text.slice(index + all.length, index + all.length + headCharactersMax)
    const whatever = { status: undefined, mediaType: mediaTypeOf(fieldIn(fields, 'Content-Type')) }
    return { url, type, ...(isHttp ? answerIn(block) : whatever) }
  })
}

/** The head of an ARC record, `URL IP date type length`. The URL may contain blanks, and the line end before the head may be missing. */
const arcHead = /((?:https?|ftp):\/\/[^\n<>"]*?) \d{1,3}(?:\.\d{1,3}){3} (?:\d{14,}|-) \S+ -?\d+\r?\n/gi

function inArc(text: string): Held[] {
  return [...text.matchAll(arcHead)].map(({ 0: all, 1: url = '', index }) => {
    const block = text.slice(index + all.length, index + all.length + headCharactersMax)
    return { url, type: 'response', ...answerIn(block) }
  })
}

const headCharactersMax = 64 * 1024

function answerIn(block: string): Pick<Held, 'status' | 'mediaType'> {
  const head = block.split(/\r?\n\r?\n/, 1)[0] ?? ''
  const status = /^HTTP\/\d(?:\.\d)? +(\d{3})/.exec(head)?.[1]
  return {
    status: status === undefined ? undefined : Number(status),
    mediaType: mediaTypeOf(fieldIn(head, 'Content-Type')),
  }
}

function fieldIn(head: string, name: string): string | undefined {
  return new RegExp(`^${name}:[ \\t]*(.*?)[ \\t]*\\r?$`, 'im').exec(head)?.[1]
}

function mediaTypeOf(field = ''): string {
  return field.split(';')[0]?.trim().toLowerCase() ?? ''
}

/** The archive files in a WACZ. */
function archivesIn(bytes: Buffer): Promise<Buffer[]> {
  return new Promise((resolve, reject) => {
    const found: Buffer[] = []
    fromBuffer(bytes, { lazyEntries: true }, (error, zip) => {
      if (!zip) return void reject(error ?? new Error('no zip'))
      zip.on('error', reject)
      zip.on('end', () => resolve(found))
      zip.on('entry', (entry: Entry) => {
        if (!/^archive\/.+\.w?arc(\.gz)?$/.test(entry.fileName)) return void zip.readEntry()
        zip.openReadStream(entry, (failed, stream) => {
          if (!stream) return void reject(failed ?? new Error('no entry'))
          const parts: Buffer[] = []
          stream.on('data', (part: Buffer) => parts.push(part))
          stream.on('error', reject)
          stream.on('end', () => {
            found.push(Buffer.concat(parts))
            zip.readEntry()
          })
        })
      })
      zip.readEntry()
    })
  })
}
