/** Duplicates in the crawl logs of one archive file: captures without a record of their own. They are extracted into a file
 *  next to the CDXJ lines, so a capture index can be rebuilt even if no replica provides the archive file. */
import { message, type Message } from '../../contract/words/message.ts'
import { parseCrawlLogLine } from '../../formats/logs/crawlLog.ts'
import { duplicateOriginIn, equivalentUrlIn, migratedPlaceIn, type RecordPlace } from '../../formats/logs/duplicates.ts'
import type { ReadableFile } from '../../world/world.ts'
import { badLineCharactersMax } from '../model/limits.ts'

/** A fetch that is recorded only in the crawl log. */
export interface Duplicate {
  url: string
  /** When the line was logged, or else when the fetch began. */
  timestampMs: number
  /** When the fetch began, which would be the date of its record. Null if the line does not say. */
  beganMs: number | null
  status: number | null
  mediaType: string
  /** '' when not known. */
  payloadDigest: string
  original: Original
}

/** The record with the content, as the annotation names it. */
export interface Original extends RecordPlace {
  /** Differs from the URL of the duplicate if the harvester treated two URLs as equivalent. */
  url: string
  /** When it was captured. Null if the annotation does not say. */
  timestampMs: number | null
}

export type DuplicateLine =
  | { kind: 'duplicate'; duplicate: Duplicate }
  /** The new place of a record whose file was compressed. Applies to all duplicates of the archive file. */
  | { kind: 'migrated'; from: RecordPlace; to: RecordPlace }
  /** Lines that mention a duplicate but lack details. */
  | { kind: 'unusable'; reason: Message; count: number }

/** Parses a line of a crawl log. Undefined: no duplicate, as for nearly all lines. */
export function duplicateLineOf(text: string, number: number): DuplicateLine | undefined {
  if (!text.includes('duplicate:"')) return undefined
  const { line } = parseCrawlLogLine(text)
  const origin = duplicateOriginIn(line?.annotations ?? '')
  const timestampMs = line?.loggedMs ?? line?.beganMs
  if (line === undefined || origin === undefined || timestampMs === undefined) {
    const shown = { number, line: text.trim().slice(0, badLineCharactersMax) }
    return { kind: 'unusable', reason: message(lackOf(line, origin), shown), count: 1 }
  }
  const { url, beganMs = null, status, mediaType, payloadDigest, annotations } = line
  const { filename, offset, atMs = null } = origin
  const original = { filename, offset, timestampMs: atMs, url: equivalentUrlIn(annotations) ?? url }
  return {
    kind: 'duplicate',
    duplicate: {
      ...{ url, timestampMs, beganMs, status: status > 0 ? status : null, mediaType, payloadDigest, original },
    },
  }
}

function lackOf(line: object | undefined, origin: object | undefined) {
  if (line === undefined) return 'index.log.invalid'
  return origin === undefined ? 'index.log.noOriginal' : 'index.log.noDate'
}

/** Parses a line of `deduplicationmigration`; undefined for any other. */
export function migratedLineOf(text: string): DuplicateLine | undefined {
  const places = migratedPlaceIn(text)
  return places && { kind: 'migrated', ...places }
}

/** Ends a list whose logs were all read completely. Changes when other details are extracted. */
export const listEnd = '{"whole":"duplicates 2"}\n'

/** Returns the text of lines of a list. */
export function listText(lines: readonly DuplicateLine[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}

/** Whether a list is complete and was made by the current rules. */
export async function isWholeList(file: ReadableFile): Promise<boolean> {
  const end = new Uint8Array(listEnd.length)
  const from = (await file.bytes()) - end.length
  return from >= 0 && (await file.read(end, from)) === end.length && Buffer.from(end).toString() === listEnd
}

/** Parses a line of `listText`. Undefined for the mark at the end. */
export function parseListLine(text: string): DuplicateLine | undefined {
  return `${text}\n` === listEnd ? undefined : (JSON.parse(text) as DuplicateLine)
}
