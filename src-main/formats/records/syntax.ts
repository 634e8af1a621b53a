/** What the readers must know of a format of records: how one begins, how its header is read, what stands after its block. */
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
import type { Introduction } from './recordItem.ts'
import { beginsWarcRecord, holdsVersionLine, looksLikeWarcRecord, parseWarcHeader } from './warcHeader.ts'

export interface Syntax {
  format: 'warc' | 'arc'
  /** Line ends after a block, by the standard. */
  end: Uint8Array
  /** Whether those count as bytes of the record: published indexes count those of WARC, not that of ARC. */
  endCounts: boolean
  /** At the beginning of a file of which nothing else is known. */
  beginsFile(bytes: Uint8Array): boolean
  /** Where one is expected. */
  begins(bytes: Uint8Array): boolean
  /** Where the first one surely begins, in bytes of which nothing is known; -1 when none does. */
  find(bytes: Uint8Array): number
  /** Takes the header from the flow; undefined, and nothing taken, when there is none that has an end. */
  readHeader(
    flow: RecordFlow,
    beginsRecord: (bytes: Uint8Array) => boolean,
  ): Promise<{ header: Uint8Array; introduction: Introduction } | NoHeader>
}

export type NoHeader = 'noRecord' | 'headerTorn' | 'headerTooLarge'

/** Real headers have some hundred bytes, with cookies and metadata some thousand. */
export const headerBytesMax = 1024 * 1024
/** In these steps the end of a header is looked for, so that what only begins like one costs little. */
const headerStepsBytes = [4096, 64 * 1024, headerBytesMax]
/** Each is put together with those before it, so a header in a million members of a byte each would take minutes. */
const headerPiecesMax = 4096

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
      // ClueWeb09's WARC 0.18 files have lone LF in their headers.
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

/** wget up to 1.20 follows the grammar of WARC 1.0, whose `<…>` around the URI the examples and 1.1 do not have. */
function targetOf(given: string | undefined, findings: Finding[]): string | undefined {
  // URL Standard, 4.4: tabs and line ends within a URL are removed.
  const value = given?.replace(/[\t\r]/g, '')
  if (value?.startsWith('<') !== true || !value.endsWith('>')) return value
  findings.push(finding('targetBracketed', 'WARC-Target-URI is enclosed in < and >.'))
  return value.slice(1, -1)
}

function lengthOf(text: string | undefined, findings: Finding[]): number {
  const bytes = text !== undefined && /^\d+$/.test(text) ? Number(text) : NaN
  if (Number.isSafeInteger(bytes)) return bytes
  findings.push(finding('lengthInvalid', `The record has no valid Content-Length (${text?.slice(0, 40) ?? 'none'}).`))
  return 0
}

/** `version`: what the first record of the file said; its own header comes before it is known. */
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

/** At the beginning of a line only: after its first letter the line of a record still looks like one. */
function findArcRecord(bytes: Uint8Array): number {
  for (let lineEnd = bytes.indexOf(LF); lineEnd >= 0; lineEnd = bytes.indexOf(LF, lineEnd + 1))
    if (looksLikeArcRecord(bytes.subarray(lineEnd + 1, lineEnd + 1 + arcLookBytes))) return lineEnd + 1
  return -1
}

const LF = 10
/** Of a line, to see whether it begins a record. */
const arcLookBytes = 4096

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
  // The beginning of the block says what the record holds.
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

/** A block that is cut before its first word may begin with any. */
function beginsHttp(held: Uint8Array, blockBytes: number): boolean {
  const word = Buffer.from(held.subarray(0, Math.min(5, blockBytes)))
    .toString('latin1')
    .toUpperCase()
  return word === 'HTTP/' || word.startsWith('ICY ') || (word.length < blockBytes && 'HTTP/'.startsWith(word))
}

/** Of a first record that does not say how long it is: its two lines. */
function versionBlockBytes(bytes: Uint8Array): number {
  return /^\d+ \d+ [^\n]*\nURL [^\n]*\n/.exec(Buffer.from(bytes.subarray(0, 512)).toString('latin1'))?.[0].length ?? 0
}
