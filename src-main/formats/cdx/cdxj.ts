/** Reads and writes CDXJ lines: a key, the digits of a timestamp, and JSON on one line, with the fields in the order
 *  of cdxj-indexer, so that lines of both programs are equal byte by byte. The header line is in canonicaliser.ts,
 *  the older columns are in cdxColumns.ts.
 *
 *  A line, here on three, is
 *
 *     com,example)/ 20160111232425 {"url": "http://example.com/", "mime": "text/html", "status": "200",
 *     "digest": "sha1:A5NX3QNUCMSMQOL6GDGFHRMBKDUVKQPY", "length": "1228", "offset": "784",
 *     "filename": "example.warc.gz"}
 *
 *  Numbers are written as strings. Sorted bytewise, the lines of one key are in the order of time. */
import { objectOf } from '../bytes/json.ts'
import { captureTypes, revisitMediaType, type Capture, type CaptureType } from './capture.ts'
import { labelledDigest } from './indexDigest.ts'
import { parseTimestamp, timestamp } from './timestamp.ts'

/** Returns `<key> <timestamp> <JSON>` without line end. `fields` selects these fields in this order instead of the
 *  usual ones. */
export function cdxjLine(capture: Capture, fields?: readonly string[]): string {
  const json = fields ? chosenFields(capture, fields) : usualFields(capture)
  return `${capture.key} ${timestamp(capture.timestampMs)} {${json}}`
}

/** Returns the members of the JSON object in the order of cdxj-indexer. Empty values are omitted. */
function usualFields(capture: Capture): string {
  const { url, mediaType, status, payloadDigest, offset, length, filename, recordType } = capture
  let json = ''
  if (url !== '') json += `"url": ${jsonText(url)}, `
  if (mediaType !== '') json += `"mime": ${jsonText(mediaType)}, `
  if (status !== undefined) json += `"status": "${status}", `
  if (payloadDigest !== '') json += `"digest": ${jsonText(payloadDigest)}, `
  if (recordType !== 'duplicate') json += `"length": "${length}", `
  json += `"offset": "${offset}", "filename": ${jsonText(filename)}`
  if (capture.recordDigest !== undefined) json += `, "recordDigest": ${jsonText(capture.recordDigest)}`
  if (capture.fields) for (const [name, value] of Object.entries(capture.fields)) json += `, ${member(name, value)}`
  if (capture.method !== undefined) json += requestFields(capture)
  // `recordType` is an extension: responses and revisits are distinguished by their media type, other types must be
  // named. The length of the record that a duplicate refers to is not known.
  if (recordType !== 'response' && recordType !== 'revisit') json += `, "recordType": "${recordType}"`
  return json
}

function requestFields({ method = '', requestBody = '' }: Capture): string {
  return `, "requestBody": ${jsonText(requestBody)}, "method": ${jsonText(method)}`
}

function chosenFields(capture: Capture, names: readonly string[]): string {
  const members = names.flatMap((name) => {
    const value = fieldText(capture, name)
    return value === undefined || value === '' ? [] : [member(name, value)]
  })
  return members.join(', ')
}

/** Returns the value of a field under its name in lines. */
function fieldText(capture: Capture, name: string): string | undefined {
  switch (name) {
    case 'url':
    case 'filename':
    case 'recordDigest':
    case 'requestBody':
      return capture[name]
    case 'mime':
      return capture.mediaType
    case 'digest':
      return capture.payloadDigest
    case 'status':
    case 'length':
    case 'offset':
      return capture[name]?.toString()
    default:
      return capture.fields?.[name] ?? (name === 'method' ? capture.method : undefined)
  }
}

function member(name: string, value: string): string {
  return `${jsonText(name)}: ${jsonText(value)}`
}

/** Returns a JSON string in ASCII, as Python writes it: no reader can mistake an unusual line separator for the end
 *  of the line. */
function jsonText(text: string): string {
  if (plainText.test(text)) return `"${text}"`
  return JSON.stringify(text).replace(
    /[^ -~]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Printable ASCII without `"` and `\`, which needs no escapes in JSON. */
const plainText = /^[ !#-[\]-~]*$/

/** Parses a line. Returns undefined when it is invalid or lacks what a lookup needs. */
export function parseCdxjLine(line: string): Capture | undefined {
  return plainLine(line) ?? anyLine(line)
}

/** Parses a line as `usualFields` writes it for nearly all captures, in half the time of parsing its JSON. Returns
 *  undefined for any other line. */
function plainLine(line: string): Capture | undefined {
  const found = usualLine.exec(line)
  if (found === null) return undefined
  const [, key = '', time = '', url = '', mediaType = '', status, digest = '', length, offset, filename = ''] = found
  const timestampMs = parseTimestamp(time)
  if (timestampMs === undefined) return undefined
  return {
    key,
    timestampMs,
    url,
    mediaType,
    status: Number(status),
    payloadDigest: digest,
    offset: Number(offset),
    length: Number(length),
    filename,
    recordType: recordTypeOf(mediaType, ''),
  }
}

/** The members in the order of `usualFields`, none escaped and none missing. */
const usualLine =
  /^([^ ]+) (\d{14}) \{"url": "([ !#-[\]-~]+)", "mime": "([ !#-[\]-~]+)", "status": "(\d+)", "digest": "(sha1:[A-Z2-7]{32})", "length": "(\d+)", "offset": "(\d+)", "filename": "([ !#-[\]-~]+)"\}$/

/** Parses a line of any writer: members in any order, numbers as numbers or strings, digests with or without
 *  label. */
function anyLine(line: string): Capture | undefined {
  const [, key = '', time = '', json = ''] = /^([^ ]+) (\d{4,17}) (\{.*\})\s*$/.exec(line) ?? []
  const timestampMs = parseTimestamp(time)
  const read = timestampMs === undefined ? undefined : objectOf(json)
  if (timestampMs === undefined || !read) return undefined
  const text = (name: string): string => {
    const value = read[name]
    return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  }
  const number = (name: string): number | undefined => (/^\d+$/.test(text(name)) ? Number(text(name)) : undefined)
  const [url, filename, offset, length] = [text('url'), text('filename'), number('offset'), number('length')]
  if (url === '' || filename === '' || offset === undefined || length === undefined) return undefined
  const mediaType = text('mime')
  return {
    key,
    timestampMs,
    url,
    mediaType,
    status: number('status'),
    payloadDigest: labelledDigest(text('digest')),
    offset,
    length,
    filename,
    recordType: recordTypeOf(mediaType, text('recordType')),
    ...moreOf(read, text),
  }
}

function recordTypeOf(mediaType: string, named: string): CaptureType {
  if (mediaType === revisitMediaType) return 'revisit'
  return captureTypes.find((type) => type === named) ?? 'response'
}

type More = Pick<Capture, 'method' | 'requestBody' | 'recordDigest' | 'fields'>

/** Returns the members beyond the usual ones. */
function moreOf(read: Record<string, unknown>, text: (name: string) => string): More {
  const more: More = {}
  const fields: Record<string, string> = {}
  for (const name in read) {
    if (usual.has(name)) continue
    if (name === 'method') more.method = text(name)
    else if (name === 'requestBody') more.requestBody = text(name)
    else if (name === 'recordDigest') more.recordDigest = text(name)
    else if (typeof read[name] === 'string') fields[name] = read[name]
  }
  // `method` together with a body means that the request is part of the key; alone it is a requested field.
  if (more.method !== undefined && more.requestBody === undefined) {
    fields['method'] = more.method
    delete more.method
  }
  if (Object.keys(fields).length > 0) more.fields = fields
  return more
}

const usual = new Set(['url', 'mime', 'status', 'digest', 'length', 'offset', 'filename', 'recordType'])
