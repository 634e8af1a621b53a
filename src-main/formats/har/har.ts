/** HAR files read entry by entry, in bounded memory whatever their size. What is torn or damaged costs what it touches:
 *  the entries before are given. Deliberately not here: what an entry means (exchange.ts), and its records
 *  (harRecords.ts). */
import { FileWindow, type ByteSource } from '../bytes/fileWindow.ts'
import { finding, type Finding } from '../rules/finding.ts'
import { JsonCursor, type Extent } from './jsonCursor.ts'

export interface HarEntry {
  /** Which entry of the list, from 1; those left out count too. */
  number: number
  /** Where it begins in the file. */
  offset: number
  /** Its length in the file. */
  length: number
  /** What JSON.parse made of it. */
  value: Record<string, unknown>
}

/** What the log says of itself, as far as it stands before the entries. */
export interface HarLog {
  version: string | undefined
  /** Name and version of the program that wrote it: `WebInspector 537.36`. */
  creator: string | undefined
  browser: string | undefined
}

export interface HarOptions {
  onLog?: (log: HarLog) => void
  onFinding?: (finding: Finding) => void
}

/** Bytes of an entry. Browsers keep bodies up to some ten megabytes for their tools, and base64 adds a third. While it is
 *  read, an entry is in memory as bytes, as text and as values: four times this. */
export const entryBytesMax = 64 * 1024 * 1024
/** Values of an entry. Real ones have some hundred; a million tiny values cost some 100 MB. */
const entryPartsMax = 1_000_000
/** A field of the log before the entries that is kept: names and versions. The list of pages is longer, and not needed. */
const logFieldBytesMax = 16 * 1024

/** `window`: of the file from its beginning. */
export async function* readHar(
  source: ByteSource,
  options: HarOptions = {},
  window = new FileWindow(source),
): AsyncGenerator<HarEntry> {
  const { onFinding = () => undefined } = options
  const cursor = new JsonCursor(window, await byteOrderMark(window, onFinding))
  const log = await findEntries(cursor, source)
  if (!log) {
    onFinding(finding('harNoEntries', 'The file has no list log.entries.', 0))
    return
  }
  if (log.version !== '1.2') onFinding(finding('harVersionOdd', versionText(log.version), 0))
  options.onLog?.(log)
  yield* entriesOf({ cursor, source, onFinding })
}

async function byteOrderMark(window: FileWindow, onFinding: (finding: Finding) => void): Promise<number> {
  const [first, second, third] = await window.view(0, 3)
  if (first !== 0xef || second !== 0xbb || third !== 0xbf) return 0
  onFinding(finding('harByteOrderMark', 'The file begins with a byte order mark.', 0))
  return 3
}

function versionText(version: string | undefined): string {
  return version === undefined ? 'The log states no version before its entries.' : `The version is HAR ${version}.`
}

/** Moves past the `[` of log.entries. Undefined when there is none. */
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

/** Goes into the object here and on to the value of `wanted`; `onField` is told small values before it. */
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

/** Undefined when it is absent, large or no JSON. */
async function smallValue(source: ByteSource, extent: Extent | undefined): Promise<unknown> {
  if (!extent || extent.to - extent.from > logFieldBytesMax) return undefined
  return parsed(await bytesOf(source, extent))
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
    const { value, refused } = await entryAt(source, extent)
    if (value) yield { number, offset: extent.from, length: extent.to - extent.from, value }
    else if (refused) onFinding({ ...refused, record: number })
    if (!(await cursor.take(',')) && (await cursor.peek()) !== 0x5d) {
      onFinding(await brokenOff(cursor))
      return
    }
  }
}

async function brokenOff(cursor: JsonCursor): Promise<Finding> {
  if ((await cursor.peek()) === undefined)
    return finding('harTorn', 'The file ends before its list of entries does.', cursor.position)
  return finding('harDamaged', 'Invalid JSON in the list of entries.', cursor.position)
}

interface EntryRead {
  value?: Record<string, unknown>
  refused?: Finding
}

async function entryAt(source: ByteSource, extent: Extent): Promise<EntryRead> {
  const length = extent.to - extent.from
  if (length > entryBytesMax || extent.parts > entryPartsMax) {
    const text = `The entry has ${length} bytes and ${extent.parts} values.`
    return { refused: finding('harEntryTooLarge', text, extent.from) }
  }
  const value = parsed(await bytesOf(source, extent))
  return isObject(value)
    ? { value }
    : { refused: finding('harEntryDamaged', 'The entry is not a JSON object.', extent.from) }
}

async function bytesOf(source: ByteSource, { from, to }: Extent): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(to - from)
  return bytes.subarray(0, await source.read(bytes, from))
}

/** Undefined when it is no JSON. */
function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
