/** Reads HAR files entry by entry, in memory that does not depend on their size. Damage affects only the entries it
 *  touches: those before it are read. Entries are converted in exchange.ts, and written as records in rewrite/convertHar.ts. */
import { FileWindow, type ByteSource } from '../bytes/fileWindow.ts'
import { isObject, jsonOf } from '../bytes/json.ts'
import { finding, type Finding } from '../rules/finding.ts'
import { JsonCursor, type Extent } from './jsonCursor.ts'

/** One entry of log.entries. */
export interface HarEntry {
  /** Position in the list of entries, from 1, including skipped ones. */
  number: number
  /** Offset in the file. */
  offset: number
  /** Length in the file in bytes. */
  length: number
  /** The parsed JSON object. */
  value: Readonly<Record<string, unknown>>
}

/** Description of the log, as far as it precedes the entries. */
export interface HarLog {
  version: string | undefined
  /** Name and version of the program that wrote the file, for example `WebInspector 537.36`. */
  creator: string | undefined
  browser: string | undefined
}

/** Receivers of what is found besides entries. `onLog` is called once, before the first entry. */
export interface HarOptions {
  onLog?: (log: HarLog) => void
  onFinding?: (finding: Finding) => void
}

/** Maximum length of an entry in bytes. Browsers keep bodies up to some ten megabytes for their tools, and base64
 *  adds a third. While it is read, an entry is in memory as bytes, text and values, which take four times its
 *  length. */
export const entryBytesMax = 64 * 1024 * 1024
/** Maximum number of values in an entry. Real ones have some hundred; a million tiny values take some 100 MB. */
const entryPartsMax = 1_000_000
/** Maximum length of a field before the entries that is parsed, enough for names and versions. The list of pages is
 *  longer and not needed. */
const logFieldBytesMax = 16 * 1024

/** The byte `]`. */
const closingBracket = 0x5d

/** Yields the entries of a file. `window` must begin at the start of the file. */
export async function* readHar(
  source: ByteSource,
  options: HarOptions = {},
  window = new FileWindow(source),
): AsyncGenerator<HarEntry> {
  const { onFinding = () => undefined } = options
  const cursor = new JsonCursor(window, await byteOrderMark(window, onFinding))
  const log = await findEntries(cursor, source)
  if (!log) {
    onFinding(finding('harNoEntries', 0))
    return
  }
  if (log.version !== '1.2') onFinding(versionFinding(log.version))
  options.onLog?.(log)
  yield* entriesOf({ cursor, source, onFinding })
}

/** Returns the length of a byte order mark, which RFC 8259 (8.1) forbids and some tools write. */
async function byteOrderMark(window: FileWindow, onFinding: (finding: Finding) => void): Promise<number> {
  const [first, second, third] = await window.view(0, 3)
  if (first !== 0xef || second !== 0xbb || third !== 0xbf) return 0
  onFinding(finding('harByteOrderMark', 0))
  return 3
}

function versionFinding(version: string | undefined): Finding {
  return version === undefined
    ? finding('harVersionOdd.missing', 0)
    : finding('harVersionOdd', { version: version.slice(0, 40) }, 0)
}

/** Moves past the `[` of log.entries. Returns undefined when there is none. */
async function findEntries(cursor: JsonCursor, source: ByteSource): Promise<HarLog | undefined> {
  const log: HarLog = { version: undefined, creator: undefined, browser: undefined }
  if (!(await descend(cursor, source, 'log'))) return undefined
  const inLog = (key: string, value: unknown) => {
    if (key === 'version' && typeof value === 'string') log.version = value
    if (key === 'creator' || key === 'browser') log[key] = programName(value)
  }
  if (!(await descend(cursor, source, 'entries', inLog))) return undefined
  return (await cursor.take('[')) ? log : undefined
}

/** Enters the object at the current position, and moves to the value of `wanted`. `onField` receives the small
 *  values before it. */
async function descend(
  cursor: JsonCursor,
  source: ByteSource,
  wanted: string,
  onField?: (key: string, value: unknown) => void,
): Promise<boolean> {
  if (!(await cursor.take('{'))) return false
  for (;;) {
    const key = await smallValue(source, await cursor.skipValue())
    if (typeof key !== 'string' || !(await cursor.take(':'))) return false
    if (key === wanted) return true
    const value = await cursor.skipValue()
    if (!value) return false
    if (onField) onField(key, await smallValue(source, value))
    if (!(await cursor.take(','))) return false
  }
}

/** Parses a value. Returns undefined when it is missing, large or invalid. */
async function smallValue(source: ByteSource, extent: Extent | undefined): Promise<unknown> {
  if (!extent || extent.to - extent.from > logFieldBytesMax) return undefined
  return jsonOf(await textOf(source, extent))
}

function programName(value: unknown): string | undefined {
  if (!isObject(value) || typeof value.name !== 'string') return undefined
  return typeof value.version === 'string' ? `${value.name} ${value.version}` : value.name
}

interface Reading {
  cursor: JsonCursor
  source: ByteSource
  onFinding: (finding: Finding) => void
}

async function* entriesOf({ cursor, source, onFinding }: Reading): AsyncGenerator<HarEntry> {
  for (let number = 1; ; number++) {
    if (await cursor.take(']')) return
    const begun = cursor.position
    const extent = await cursor.skipValue()
    if (!extent) {
      onFinding({ ...(await brokenOff(cursor)), offset: begun, record: number })
      return
    }
    const read = await entryAt(source, extent)
    if ('value' in read) yield { number, offset: extent.from, length: extent.to - extent.from, value: read.value }
    else onFinding({ ...read.refused, record: number })
    if (!(await cursor.take(',')) && (await cursor.peek()) !== closingBracket) {
      onFinding(await brokenOff(cursor))
      return
    }
  }
}

/** Tells the end of the file from bytes that are not JSON. */
async function brokenOff(cursor: JsonCursor): Promise<Finding> {
  if ((await cursor.peek()) === undefined) return finding('harTorn', cursor.position)
  return finding('harDamaged', cursor.position)
}

/** An entry, or why it cannot be used. */
type EntryRead = { value: Readonly<Record<string, unknown>> } | { refused: Finding }

async function entryAt(source: ByteSource, extent: Extent): Promise<EntryRead> {
  const length = extent.to - extent.from
  if (length > entryBytesMax || extent.parts > entryPartsMax)
    return { refused: finding('harEntryTooLarge', { bytes: length, count: extent.parts }, extent.from) }
  const value = jsonOf(await textOf(source, extent))
  return isObject(value) ? { value } : { refused: finding('harEntryDamaged', extent.from) }
}

async function textOf(source: ByteSource, { from, to }: Extent): Promise<string> {
  const bytes = Buffer.allocUnsafe(to - from)
  return bytes.toString('utf8', 0, await source.read(bytes, from))
}
