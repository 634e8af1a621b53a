/** CDXJ lines: a key, the digits of a moment, one line of JSON (field by field as cdxj-indexer writes it, so that the
 *  lines of both compare byte by byte). Deliberately not here: the header line (canonicaliser.ts), the older columns. */
import { captureTypes, revisitMediaType, type Capture, type CaptureType } from './capture.ts'
import { labelledDigest } from './indexDigest.ts'
import { parseTimestamp, timestamp } from './timestamp.ts'

/** `<key> <timestamp> <JSON>`, without line end. `fields`: these alone, in this order, instead of the usual ones. */
export function cdxjLine(capture: Capture, fields?: readonly string[]): string {
  const json = fields ? chosenFields(capture, fields) : usualFields(capture)
  return `${capture.key} ${timestamp(capture.timestampMs)} {${json}}`
}

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
  // Ours: responses and revisits are told apart by their media type, the others need it said. The length of the record that a
  // duplicate refers to is not known.
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

/** By the names that stand in lines. */
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

/** ASCII alone, as Python writes JSON: then no reader can take a strange line separator for the end of the line. */
function jsonText(text: string): string {
  if (plainText.test(text)) return `"${text}"`
  return JSON.stringify(text).replace(
    /[^ -~]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

const plainText = /^[ !#-[\]-~]*$/

/** Undefined when the line is none, or lacks what a lookup needs. */
export function parseCdxjLine(line: string): Capture | undefined {
  return plainLine(line) ?? anyLine(line)
}

/** A line as `usualFields` writes it of nearly all captures: half the time of reading its JSON. Undefined for every other one. */
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

const usualLine =
  /^([^ ]+) (\d{14}) \{"url": "([ !#-[\]-~]+)", "mime": "([ !#-[\]-~]+)", "status": "(\d+)", "digest": "(sha1:[A-Z2-7]{32})", "length": "(\d+)", "offset": "(\d+)", "filename": "([ !#-[\]-~]+)"\}$/

function anyLine(line: string): Capture | undefined {
  const [, key = '', time = '', json = ''] = /^([^ ]+) (\d{4,17}) (\{.*\})\s*$/.exec(line) ?? []
  const timestampMs = parseTimestamp(time)
  const read = timestampMs === undefined ? undefined : objectIn(json)
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
  // `method` together with a body says that the request is in the key; alone it was asked for like any other field.
  if (more.method !== undefined && more.requestBody === undefined) {
    fields['method'] = more.method
    delete more.method
  }
  if (Object.keys(fields).length > 0) more.fields = fields
  return more
}

const usual = new Set(['url', 'mime', 'status', 'digest', 'length', 'offset', 'filename', 'recordType'])

/** Of a text that stands in braces. */
function objectIn(json: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(json) as Record<string, unknown>
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
