/** The differences between WARC and ARC for a reader: how a record begins, how its header is read, and what
 *  follows its block. */
import { finding, type Finding } from '../rules/finding.ts'
import { headEnd, headEndReachBytes } from '../http/http.ts'
import {
  arcLineBytesMax,
  arcVersionOf,
  beginsArcFile,
  beginsArcRecord,
  looksLikeArcRecord,
  parseArcHeader,
} from './arcHeader.ts'
import { recordField } from './record.ts'
import type { RecordFlow } from './recordFlow.ts'
import type { HeldContent } from './heldRecord.ts'
import type { Introduction } from './introducedRecord.ts'
import { beginsWarcRecord, holdsVersionLine, looksLikeWarcRecord, parseWarcHeader } from './warcHeader.ts'

/** One format. */
export interface Syntax {
  format: 'warc' | 'arc'
  /** Line ends after a block, as the format requires. */
  end: Uint8Array
  /** Whether these line ends count as bytes of the record: published indexes count those of WARC but not those of
   *  ARC. */
  endCounts: boolean
  /** Returns true when a record begins here, at the beginning of a file of unknown format. */
  beginsFile(bytes: Uint8Array): boolean
  /** Returns true when a record begins here, where one is expected. */
  begins(bytes: Uint8Array): boolean
  /** Returns the position of the first record that can be recognised with certainty in arbitrary bytes; -1 when
   *  there is none. */
  find(bytes: Uint8Array): number
  /** Takes the header from the flow. Returns the reason, with nothing taken, when there is no complete header. */
  readHeader(
    flow: RecordFlow,
    beginsRecord: (bytes: Uint8Array) => boolean,
  ): Promise<{ header: Uint8Array; introduction: Introduction } | NoHeader>
}

/** Why no header could be read. */
export type NoHeader = 'noRecord' | 'headerTorn' | 'headerTooLarge'

/** Maximum length of a header in bytes. Real headers have some hundred bytes, with cookies and metadata some
 *  thousand. */
export const headerBytesMax = 1024 * 1024
/** Sizes in which the end of a header is searched for, so that bytes that only begin like a header cost little. */
const headerStepsBytes = [4096, 64 * 1024, headerBytesMax] as const
/** Maximum number of members that a header may span. Each piece is joined with the previous ones, so a header in a
 *  million members of one byte each would take minutes. */
const headerPiecesMax = 4096

/** WARC of all versions. */
export const warcSyntax: Syntax = {
  format: 'warc',
  end: Buffer.from('\r\n\r\n'),
  endCounts: true,
  beginsFile: beginsWarcRecord,
  begins: beginsWarcRecord,
  find(bytes) {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    for (let at = buffer.indexOf('WARC/'); at >= 0; at = buffer.indexOf('WARC/', at + 1))
      if (looksLikeWarcRecord(buffer.subarray(at))) return at
    return -1
  },
  async readHeader(flow, beginsRecord) {
    const end = await warcHeaderEnd(flow, beginsRecord)
    if (typeof end === 'string') return end
    const parsed = parseWarcHeader(flow.held.subarray(0, end))
    if (!parsed) return 'noRecord'
    const header = flow.take(end)
    return { header, introduction: warcIntroduction(parsed) }
  },
}

/** Returns the header and the block when `content` is exactly one record with the line ends of the format; otherwise
 *  undefined. Headers that are longer than usual are left to `readHeader`. */
export function heldWarcRecord(content: Uint8Array): HeldContent | undefined {
  if (!beginsWarcRecord(content) || !endsWarcRecord(content)) return undefined
  const blockAt = headEnd(content.subarray(0, headerStepsBytes[0]), 0)
  const parsed = blockAt < 0 ? undefined : parseWarcHeader(content.subarray(0, blockAt))
  if (!parsed) return undefined
  const introduction = warcIntroduction(parsed)
  const blockEnd = content.length - warcSyntax.end.length
  if (blockAt + introduction.blockBytes !== blockEnd) return undefined
  return { header: content.subarray(0, blockAt), block: content.subarray(blockAt, blockEnd), introduction }
}

/** Returns true when `bytes` end with CR LF CR LF. */
function endsWarcRecord(bytes: Uint8Array): boolean {
  const { length } = bytes
  return bytes[length - 4] === CR && bytes[length - 3] === LF && bytes[length - 2] === CR && bytes[length - 1] === LF
}

/** Finds the end of the header: the index after its blank line. */
async function warcHeaderEnd(
  flow: RecordFlow,
  beginsRecord: (bytes: Uint8Array) => boolean,
): Promise<number | NoHeader> {
  let searchedBytes = 0
  let pieces = 0
  for (const bytesMax of headerStepsBytes) {
    if (flow.held.length < bytesMax) await flow.load(Math.min(bytesMax, searchedBytes === 0 ? 64 : bytesMax))
    for (;;) {
      const bytes = flow.held.subarray(0, bytesMax)
      // The WARC 0.18 files of ClueWeb09 have lone LFs in their headers.
      const end = headEnd(bytes, Math.max(0, searchedBytes - headEndReachBytes))
      if (end >= 0) return end
      searchedBytes = bytes.length
      if (searchedBytes === bytesMax) break
      if (++pieces > headerPiecesMax) return 'headerTooLarge'
      if (!(await flow.more(beginsRecord))) return 'headerTorn'
    }
    if (holdsVersionLine(Buffer.from(flow.held.subarray(0, searchedBytes)).toString('latin1'))) return 'noRecord'
  }
  return 'headerTooLarge'
}

/** Interprets the fields that every record needs. */
function warcIntroduction(parsed: { version: string; fields: [string, string][]; findings: Finding[] }): Introduction {
  const { version, fields, findings } = parsed
  const record = { fields }
  return {
    format: 'warc',
    version,
    type: (recordField(record, 'warc-type') ?? '').toLowerCase(),
    fields,
    url: targetOf(recordField(record, 'warc-target-uri'), findings),
    date: recordField(record, 'warc-date') ?? '',
    contentType: recordField(record, 'content-type'),
    blockBytes: lengthOf(recordField(record, 'content-length'), findings),
    findings,
  }
}

/** Returns the target URI without brackets. wget up to 1.20 follows the grammar of WARC 1.0, whose `<…>` around the
 *  URI is missing in its examples and in 1.1. */
function targetOf(given: string | undefined, findings: Finding[]): string | undefined {
  // URL Standard, 4.4: tabs and line ends within a URL are removed.
  const value = given?.replace(/[\t\r]/g, '')
  if (value?.startsWith('<') !== true || !value.endsWith('>')) return value
  findings.push(finding('targetBracketed'))
  return value.slice(1, -1)
}

/** Parses Content-Length; an invalid length counts as 0, and the next record is searched for. */
function lengthOf(text: string | undefined, findings: Finding[]): number {
  const bytes = text !== undefined && /^\d+$/.test(text) ? Number(text) : NaN
  if (Number.isSafeInteger(bytes)) return bytes
  findings.push(
    text === undefined ? finding('lengthInvalid.missing') : finding('lengthInvalid', { length: text.slice(0, 40) }),
  )
  return 0
}

/** Returns the syntax of ARC files. `version` is the one in the first record of the file, or a default for reading
 *  that record. */
export function arcSyntax(version: string): Syntax {
  return {
    format: 'arc',
    end: Buffer.from('\n'),
    endCounts: false,
    beginsFile: beginsArcFile,
    begins: beginsArcRecord,
    find: findArcRecord,
    readHeader: (flow, beginsRecord) => readArcHeader(flow, version, beginsRecord),
  }
}

/** Searches at the beginning of lines only: a record's line still looks like one when its first letters are cut off. */
function findArcRecord(bytes: Uint8Array): number {
  for (let lineEnd = bytes.indexOf(LF); lineEnd >= 0; lineEnd = bytes.indexOf(LF, lineEnd + 1))
    if (looksLikeArcRecord(bytes.subarray(lineEnd + 1, lineEnd + 1 + arcLookBytes))) return lineEnd + 1
  return -1
}

const CR = 13
const LF = 10
/** Bytes of a line that are examined to see whether it begins a record. */
const arcLookBytes = 4096

/** Reads a header line, and looks at the block to determine the type. */
async function readArcHeader(flow: RecordFlow, version: string, beginsRecord: (bytes: Uint8Array) => boolean) {
  if (flow.held.length < 1024) await flow.load(1024)
  if (!flow.held.includes(LF)) await flow.load(arcLineBytesMax)
  for (let pieces = 0; pieces < headerPiecesMax && flow.held.length < arcLineBytesMax; pieces++)
    if (flow.held.includes(LF) || !(await flow.more(beginsRecord))) break
  const end = flow.held.subarray(0, arcLineBytesMax).indexOf(LF) + 1
  if (end === 0) return flow.ended ? ('headerTorn' as const) : ('headerTooLarge' as const)
  const parsed = parseArcHeader(flow.held.subarray(0, end), version)
  if (!parsed) return 'noRecord' as const
  const header = flow.take(end)
  // The beginning of the block shows whether the record holds an HTTP response.
  while (flow.held.length < Math.min(512, parsed.blockBytes ?? 512) && (await flow.more(beginsRecord))) continue
  const isFirst = /^filedesc:/i.test(parsed.url)
  const isHttp = /^https?:/i.test(parsed.url) && beginsHttp(flow.held, parsed.blockBytes ?? 0)
  const introduction: Introduction = {
    format: 'arc',
    version: (isFirst ? arcVersionOf(flow.held) : undefined) ?? version,
    type: isFirst ? 'filedesc' : isHttp ? 'response' : 'resource',
    fields: parsed.fields,
    url: parsed.url,
    date: parsed.date,
    contentType: isHttp ? 'application/http; msgtype=response' : parsed.contentType,
    blockBytes: parsed.blockBytes ?? (isFirst ? versionBlockBytes(flow.held) : 0),
    findings: parsed.findings,
  }
  return { header, introduction }
}

/** Returns true when the block begins like an HTTP response. A block that is cut within its first word may still be
 *  one. */
function beginsHttp(held: Uint8Array, blockBytes: number): boolean {
  const word = Buffer.from(held.subarray(0, Math.min(5, blockBytes)))
    .toString('latin1')
    .toUpperCase()
  return word === 'HTTP/' || word.startsWith('ICY ') || (word.length < blockBytes && 'HTTP/'.startsWith(word))
}

/** Returns the length of a first record with an invalid length: its two lines. */
function versionBlockBytes(bytes: Uint8Array): number {
  return /^\d+ \d+ [^\n]*\nURL [^\n]*\n/.exec(Buffer.from(bytes.subarray(0, 512)).toString('latin1'))?.[0].length ?? 0
}
