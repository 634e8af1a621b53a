/** Commands that deliver files and records of the archive, with the paths of NetarchiveSuite's viewer proxy. The bytes are sent
 *  as downloads, never as a page of this host. Commands for single records and lists apply the access rules to their URLs, and files with
 *  captures that the caller may not see are refused.
 *  Whole files (`getFile`, `getMetadata`) are for the people who run the archive: with parts removed they would no longer match
 *  their checksums, and the rules govern what is shown, not what is stored. */
import { message, type Message } from '../../contract/words/message.ts'
import { Readable } from 'node:stream'
import { constants, createGunzip } from 'node:zlib'
import type { Archive } from '../../archive/store/archive.ts'
import { messageOf } from '../../contract/text/messageOf.ts'
import { Fault } from '../../contract/calls/faults.ts'
import { listOf } from '../../formats/http/http.ts'
import { imageType } from '../../formats/http/imageType.ts'
import { readRecordAt } from '../../formats/records/readRecords.ts'
import type { ReadableFile } from '../../world/world.ts'
import { contentOf, recordPlace } from '../records/archivedRecord.ts'
import type { ArchivedRecord } from '../records/openedRecord.ts'
import { peek, readAhead, streamOf, watched, type ByteStream, type Content } from '../model/content.ts'
import { decodedStream, isDecodable, isReallyCoded } from '../records/contentCodings.ts'
import { imageBytesMax, readBytes } from '../model/limits.ts'
import { rangeOf } from '../replay/range.ts'
import {
  faultReply,
  plainReply,
  reasonOf,
  textReply,
  type BrowserRequest,
  type Field,
  type Reply,
} from '../model/reply.ts'
import { Unreadable } from '../model/unreadable.ts'
import type { ChainParts } from '../replay/chainParts.ts'
import type { Question } from '../viewings/question.ts'
import { keptBack, restricted } from '../links/access.ts'
import { cdxCommand } from './cdxCommand.ts'
import { commandLink, wholeNumber, type CommandLink, type Parameters } from './commands.ts'

/** Makes the link that answers these commands. */
export function dataCommands(parts: ChainParts): CommandLink {
  const { certificatePem } = parts
  return commandLink('dataCommands', {
    '/getFile': {
      parameters: ['arcFile'],
      optional: ['replica'],
      answer: ({ sight, fields }, given) => getFile({ ...parts, sight }, given, fields),
    },
    '/getRecord': {
      parameters: ['arcFile', 'arcOffset'],
      answer: ({ sight }, given) => getRecord({ ...parts, sight }, given),
    },
    '/getPayload': {
      parameters: ['file', 'offset'],
      answer: ({ sight }, given) => getPayload({ ...parts, sight }, given),
    },
    '/getMetadata': { parameters: ['jobID'], answer: ({ sight }, given) => getMetadata({ ...parts, sight }, given) },
    '/cdx': cdxCommand(parts),
    '/certificate': { parameters: [], answer: async () => certificate(certificatePem) },
  })
}

/** Sends a file, or the range of it that was asked for (RFC 9110, 14). */
async function getFile(
  parts: Seeing,
  { arcFile = '', replica }: Parameters,
  fields: BrowserRequest['fields'],
): Promise<Reply> {
  if (isFileHidden(parts, arcFile)) return hidden(parts, absentFile(arcFile))
  const { archive } = parts
  // Names are looked up in the catalogue and never used as a path, so `../` is just an unknown name.
  const opened = await (replica === undefined ? archive.openFile(arcFile) : openedFrom(archive, arcFile, replica))
  if (opened === undefined) return unknownFile(archive, arcFile)
  if ('refusal' in opened) return opened.refusal
  const { file, bytes } = opened
  const range = rangeOf(fields.range, bytes)
  const about: Field[] = [...attachment(arcFile), ['Accept-Ranges', 'bytes'], ['X-Loupe-Replica', opened.replica]]
  if (range.kind === 'unsatisfiable') {
    await file.close()
    return plainReply(416, message('viewer.file.bytes', { file: arcFile, bytes }), [
      ['Content-Range', `bytes */${bytes}`],
    ])
  }
  if (range.kind === 'whole') return given(about, streamed(file, { first: 0, last: bytes - 1 }), bytes)
  const { first, last } = range
  const partial = given(
    [...about, ['Content-Range', `bytes ${first}-${last}/${bytes}`]],
    streamed(file, range),
    last - first + 1,
  )
  return { ...partial, status: 206, reason: reasonOf[206] ?? '' }
}

/** Opens the copy of a given replica, or returns the reply that says why it cannot be read. */
async function openedFrom(
  archive: Archive,
  name: string,
  replica: string,
): Promise<{ replica: string; file: ReadableFile; bytes: number } | { refusal: Reply }> {
  try {
    return { replica, ...(await archive.readableFrom(replica, name)) }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return { refusal: faultReply(error) }
  }
}

type Seeing = Pick<ChainParts, 'archive' | 'isRefusalSaid'> & Pick<Question, 'sight'>
type OfRecords = Seeing & Pick<ChainParts, 'accessRules'>

/** The reply for what the caller may not see: that of something absent, or that it is restricted. */
function hidden({ isRefusalSaid }: Seeing, absent: Reply): Reply {
  return isRefusalSaid() ? restricted() : absent
}

function isFileHidden({ archive, sight }: Seeing, name: string): boolean {
  const file = sight.everything ? undefined : archive.file(name)
  return file !== undefined && !sight.wholeJob(file.job)
}

/** The refusal of a record. One without URL, such as the description of its file, is shown with the whole file only. */
function recordRefused(parts: OfRecords, name: string, offset: number, url: string | undefined): Reply | undefined {
  const { archive, sight, accessRules } = parts
  const refused = keptBack(url ?? '', accessRules())
  if (refused) return refused
  const isHidden =
    url === undefined ? isFileHidden(parts, name) : !sight.capture({ job: archive.file(name)?.job ?? null, url })
  return isHidden ? hidden(parts, noRecordAt(offset, name)) : undefined
}

/** The record from its version line on, as in NetarchiveSuite: of a compressed file, the decompressed member. */
async function getRecord(parts: OfRecords, { arcFile = '', arcOffset }: Parameters): Promise<Reply> {
  const { archive } = parts
  const offset = wholeNumber(arcOffset)
  if (offset === undefined) return notANumber('arcOffset', arcOffset)
  const opened = await archive.openFile(arcFile)
  if (opened === undefined) return unknownFile(archive, arcFile)
  const { file, bytes } = opened
  try {
    const item = offset < bytes ? await readRecordAt(file, offset) : undefined
    const refused = item && recordRefused(parts, arcFile, offset, item.url)
    if (refused) {
      await file.close()
      return refused
    }
    const length = item === undefined ? 0 : (await item.finish()).length
    if (length > 0) {
      const name = arcFile.replace(/(\.w?arc)(\.gz|\.zst)?$/i, (_, suffix: string) => `-${offset}${suffix}`)
      const packing = await packingAt(file, offset)
      if (packing === 'zstd') return given(attachment(name), unpacked(file, offset))
      const member = streamed(file, { first: offset, last: offset + length - 1 })
      if (packing === 'none') return given(attachment(name), member, length)
      return given(attachment(name), inflated(member, recordPlace({ filename: arcFile, offset })))
    }
  } catch (error) {
    await file.close()
    throw error
  }
  await file.close()
  return noRecordAt(offset, arcFile)
}

/** All metadata files of a job, concatenated. Concatenated WARC files are a valid WARC file. */
async function getMetadata(parts: Seeing, { jobID }: Parameters): Promise<Reply> {
  const { archive, sight } = parts
  const job = wholeNumber(jobID)
  if (job === undefined) return notANumber('jobID', jobID)
  const names = archive.filesOfJob(job).flatMap(({ name, kind }) => (kind === 'metadata' ? [name] : []))
  const [first] = names
  const none = plainReply(404, message('viewer.metadata.none', { job }))
  if (first === undefined) return none
  if (!sight.wholeJob(job)) return hidden(parts, none)
  const opened: { file: ReadableFile; bytes: number }[] = []
  const close = async () => {
    for (const { file } of opened.splice(0)) await file.close()
  }
  for (const name of names) {
    const each = await archive.openFile(name)
    if (each === undefined) {
      await close()
      return unknownFile(archive, name)
    }
    opened.push(each)
  }
  const bytes = opened.reduce((sum, each) => sum + each.bytes, 0)
  const suffix = /\.w?arc(\.gz)?$/i.exec(first)?.[0] ?? '.warc'
  return given(attachment(`${job}-metadata${suffix}`), streamOf(oneAfterTheOther([...opened]), close), bytes)
}

/** Yields the bytes of all files in turn. */
async function* oneAfterTheOther(files: readonly { file: ReadableFile; bytes: number }[]): AsyncGenerator<Uint8Array> {
  for (const { file, bytes } of files) yield* bytesOf(file, { first: 0, last: bytes - 1 })
}

function certificate(certificatePem: string): Reply {
  const [disposition] = attachment('loupe-authority.pem')
  return textReply({
    status: 200,
    text: certificatePem,
    mediaType: 'application/x-x509-ca-cert',
    ...(disposition && { fields: [disposition] }),
  })
}

/** Tells a file that the archive does not have from one whose replicas cannot be read now. */
function unknownFile(archive: Archive, name: string): Reply {
  if (archive.file(name) === undefined) return absentFile(name)
  return plainReply(503, message('viewer.file.unavailable', { file: name }))
}

function absentFile(name: string): Reply {
  return plainReply(404, message('viewer.file.unknown', { file: shortened(name) }))
}

function notANumber(name: string, value = ''): Reply {
  return plainReply(400, message('viewer.parameter.number', { name, value }))
}

function noRecordAt(offset: number, file: string): Reply {
  return plainReply(404, message('record.absent', { offset, file }))
}

function shortened(name: string): string {
  return name.length > 200 ? `${name.slice(0, 200)}…` : name
}

/** Fields of a download: archived bytes must not be taken for a page of this host. */
function attachment(name: string): Field[] {
  return [
    ['Content-Disposition', `attachment; filename="${name.replace(/[^\w.+=@~,-]/g, '_')}"`],
    ['Content-Type', mediaTypeOf(name)],
    ['X-Content-Type-Options', 'nosniff'],
    ['Cache-Control', 'no-store'],
  ]
}

/** ARC has no registered media type. */
function mediaTypeOf(name: string): string {
  if (/\.gz$/i.test(name)) return 'application/gzip'
  if (/\.zst$/i.test(name)) return 'application/zstd'
  return /\.arc$/i.test(name) ? 'application/octet-stream' : 'application/warc'
}

/** A 200 reply. Without `bytes` it is sent in chunks. */
function given(fields: readonly Field[], body: Content, bytes?: number): Reply {
  return {
    status: 200,
    reason: 'OK',
    fields: bytes === undefined ? fields : [...fields, ['Content-Length', String(bytes)]],
    body,
    capture: undefined,
    missing: false,
  }
}

function streamed(file: ReadableFile, range: { first: number; last: number }): ByteStream {
  let closing: Promise<void> | undefined
  return streamOf(bytesOf(file, range), () => (closing ??= file.close()))
}

/** Detects the packing of a record by its first bytes. */
async function packingAt(file: ReadableFile, offset: number): Promise<'gzip' | 'zstd' | 'none'> {
  const magic = Buffer.alloc(4)
  await file.read(magic, offset)
  if (magic.readUInt16BE() === 0x1f8b) return 'gzip'
  return magic.readUInt32BE() === 0x28b52ffd ? 'zstd' : 'none'
}

/** Decompresses a zstd record with the record reader, because a frame may need the dictionary at the beginning of its file. */
function unpacked(file: ReadableFile, offset: number): ByteStream {
  let closing: Promise<void> | undefined
  return streamOf(recordBytes(file, offset), () => (closing ??= file.close()))
}

async function* recordBytes(file: ReadableFile, offset: number): AsyncGenerator<Uint8Array> {
  const record = await readRecordAt(file, offset)
  if (!record) return
  yield record.header
  yield* record.block()
  yield Buffer.from(record.format === 'warc' ? '\r\n\r\n' : '\n')
}

/** The decoded payload of a record for the record inspector: images only, recognised by their bytes. They come from the web and
 *  may be documents with scripts (SVG), so the reply allows no scripts and no requests. */
async function getPayload(parts: OfRecords, { file: name = '', offset: text }: Parameters): Promise<Reply> {
  const { archive } = parts
  const offset = wholeNumber(text)
  if (offset === undefined) return notANumber('offset', text)
  const opened = await archive.openFile(name)
  if (opened === undefined) return unknownFile(archive, name)
  const place = recordPlace({ filename: name, offset })
  try {
    const record = offset < opened.bytes ? await readRecordAt(opened.file, offset) : undefined
    if (record === undefined) return noRecordAt(offset, name)
    const refused = recordRefused(parts, name, offset, record.url)
    if (refused) return refused
    return await imageReply(await contentOf(record, { where: place, close: async () => undefined }), place)
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    return plainReply(415, message('viewer.payload.unreadable', { place, problem: error.userMessage }))
  } finally {
    await opened.file.close()
  }
}

async function imageReply({ head, body }: ArchivedRecord, place: Message): Promise<Reply> {
  const codings = listOf(head, 'content-encoding').filter((coding) => coding !== 'identity')
  const { first, content } = await peek(body)
  const isCoded = codings.length > 0 && isReallyCoded(first, codings)
  if (isCoded && !isDecodable(codings))
    return plainReply(415, message('viewer.payload.coding', { place, codings: codings.join(', ') }))
  const bytes = await readAhead(isCoded ? decodedStream(content, codings) : content, imageBytesMax)
  if (!(bytes instanceof Uint8Array)) {
    await bytes.close()
    return plainReply(415, message('viewer.payload.tooLarge', { place, bytes: imageBytesMax }))
  }
  const mediaType = imageType(bytes)
  if (mediaType === undefined) return plainReply(415, message('viewer.payload.noImage', { place }))
  const fields: Field[] = [
    ['Content-Type', mediaType],
    ['Content-Security-Policy', "sandbox; default-src 'none'; style-src 'unsafe-inline'"],
    ['X-Content-Type-Options', 'nosniff'],
    ['Cache-Control', 'no-store'],
    ['Content-Length', String(bytes.length)],
  ]
  return { status: 200, reason: 'OK', fields, body: bytes, capture: undefined, missing: false }
}

/** Decompresses a member. A truncated one yields what there is, because truncation is a finding and no reason to hide the
 *  record; bytes that are not gzip break the reply off. */
function inflated(member: ByteStream, place: Message): Content {
  const gunzip = createGunzip({ finishFlush: constants.Z_SYNC_FLUSH })
  const bytes = Readable.from(member, { objectMode: false }).on('error', (error) => gunzip.destroy(error))
  const close = async () => {
    gunzip.destroy()
    bytes.destroy()
    await member.close()
  }
  return watched(streamOf(bytes.pipe(gunzip), close), (error) => {
    throw new Unreadable(message('viewer.record.unpacking', { place, problem: messageOf(error) }), { cause: error })
  })
}

/** Yields a range of a file. Throws when the file is shorter than it was. */
async function* bytesOf(
  file: ReadableFile,
  { first, last }: { first: number; last: number },
): AsyncGenerator<Uint8Array> {
  for (let at = first; at <= last;) {
    const into = Buffer.allocUnsafe(Math.min(readBytes, last + 1 - at))
    const read = await file.read(into, at)
    if (read === 0) throw new Error(`the file ended at ${at}, before its length`)
    yield into.subarray(0, read)
    at += read
  }
}
