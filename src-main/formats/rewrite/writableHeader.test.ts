import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { strictRecord } from './testing/strictWarc.ts'
import { together, writableHeader, type BlockFacts } from './writableHeader.ts'

const good = [
  'WARC/1.1',
  'WARC-Type: response',
  'WARC-Record-ID: <urn:uuid:0f1e2d3c-4b5a-4978-8695-000000000001>',
  'WARC-Date: 2020-01-01T00:00:00Z',
  'Content-Type: application/http; msgtype=response',
  'Content-Length: 3',
]
const facts: BlockFacts = { blockBytes: 3, blockDigest: undefined, isTruncated: false }
const newId = () => 'urn:uuid:0f1e2d3c-4b5a-5978-8695-00000000000f'

function headerOf(lines: readonly string[], lineEnd = '\r\n'): Buffer {
  return Buffer.from([...lines, '', ''].join(lineEnd), 'latin1')
}

interface Written {
  lacks?: string
  rules?: string[]
  fields?: Record<string, string>
  text?: string
  isSame?: boolean
}

function written(
  lines: readonly string[],
  { lineEnd = '\r\n', ...given }: Partial<BlockFacts> & { lineEnd?: string } = {},
): Written {
  const header = headerOf(lines, lineEnd)
  const writable = writableHeader(header, { ...facts, ...given }, newId)
  if (!writable.header) return { lacks: writable.lacks.rule }
  const block = Buffer.alloc(given.blockBytes ?? 3, 'x')
  const { fields } = strictRecord(
    Buffer.concat([writable.header, block, Buffer.from('\r\n\r\n')]),
    'the written record',
  )
  const text = Buffer.from(writable.header).toString('latin1')
  const { rules } = together(writable.changes)
  return { rules, fields: Object.fromEntries(fields), text, isSame: writable.header === header }
}

/** The good header with some lines changed, selected by their prefix. */
function changed(changes: Record<string, string | undefined>): string[] {
  return good.flatMap((line) => {
    const key = Object.keys(changes).find((start) => line.startsWith(start))
    return key === undefined ? [line] : (changes[key] ?? [])
  })
}

test('a valid header stays unchanged, byte by byte', () => {
  expect(written(good)).toMatchObject({ isSame: true, rules: [] })
  expect(written([...good, 'X-Folded: a', '\tb', 'x:y', 'X-Bytes: \xe9'])).toMatchObject({ isSame: true, rules: [] })
  expect(written(changed({ 'Content-Length': 'content-length:3' }))).toMatchObject({ isSame: true, rules: [] })
})

describe('fields that can be completed', () => {
  test.each<[what: string, lines: string[], rules: string[], fields: Record<string, string>]>([
    ['no id', changed({ 'WARC-Record-ID': undefined }), ['recordIdMissing'], { 'warc-record-id': `<${newId()}>` }],
    [
      'an id with blanks',
      changed({ 'WARC-Record-ID': 'WARC-Record-ID: <urn:uuid:0 f>' }),
      ['recordIdMissing'],
      { 'warc-record-id': `<${newId()}>`, 'original-warc-record-id': '<urn:uuid:0 f>' },
    ],
    [
      'no type, and a Content-Type that identifies the message',
      changed({ 'WARC-Type': 'WARC-Uype: response' }),
      ['typeMissing'],
      { 'warc-type': 'response', 'warc-uype': 'response' },
    ],
    [
      'an empty type',
      changed({ 'WARC-Type': 'WARC-Type:', 'Content-Type': 'Content-Type: application/http;msgtype=request' }),
      ['typeMissing'],
      { 'warc-type': 'request' },
    ],
    [
      'another version',
      changed({ 'WARC/': 'WARC/7.1' }),
      ['versionUnknown'],
      { 'original-version': 'WARC/7.1', 'warc-type': 'response' },
    ],
    ['a version in small letters', changed({ 'WARC/': 'warc/1.0 ' }), [], { 'warc-type': 'response' }],
    [
      'a field twice',
      [...good, 'WARC-Date: 2020-01-01T00:00:00Z'],
      ['fieldRepeated'],
      { 'warc-date': '2020-01-01T00:00:00Z', 'original-warc-date': '2020-01-01T00:00:00Z' },
    ],
    [
      'a field with two values',
      [...good, 'Content-Length: 99'],
      ['fieldContradicts'],
      { 'content-length': '3', 'original-content-length': '99' },
    ],
    ['lines that are not fields', [...good, 'no field', 'a b: c', ': d'], ['fieldOdd'], { 'content-length': '3' }],
    ['control characters', [...good, 'X: \0', 'Y: a\rb'], ['fieldOdd'], { 'content-length': '3' }],
    [
      'a folded line after a line that is not a field',
      ['WARC/1.1', 'no', '\tfield', 'X: y', ' z', ...good.slice(1)],
      ['fieldOdd'],
      { x: 'y z' },
    ],
    ['a blank before the colon', [...good, 'X : y'], [], { x: 'y' }],
    ['no length', changed({ 'Content-Length': undefined }), [], { 'content-length': '3' }],
    [
      'an invalid length',
      changed({ 'Content-Length': 'Content-Length: many' }),
      [],
      { 'content-length': '3', 'original-content-length': 'many' },
    ],
  ])('%s', (_what, lines, rules, fields) => {
    const result = written(lines)
    expect(result).toMatchObject({ rules, isSame: false })
    expect(result.fields).toMatchObject(fields)
  })

  test.each(['\n', '\r\r\n'])('lines that end with %j', (lineEnd) => {
    const result = written(good, { lineEnd })
    expect(result.rules).toEqual(['headerLineEndOdd'])
    expect(result.text).toBe(headerOf(good).toString())
  })

  test('a block that differs from its header', () => {
    const lines = [...good, 'WARC-Block-Digest: sha1:OLD', 'WARC-Payload-Digest: sha1:OLDER']
    const result = written(lines, { blockBytes: 2, blockDigest: 'sha1:NEW', isTruncated: true })
    expect(result.fields).toMatchObject({
      ...{ 'content-length': '2', 'original-content-length': '3' },
      ...{ 'warc-block-digest': 'sha1:NEW', 'original-warc-block-digest': 'sha1:OLD' },
      ...{ 'original-warc-payload-digest': 'sha1:OLDER', 'warc-truncated': 'unspecified' },
    })
    expect(result.fields).not.toHaveProperty('warc-payload-digest')
    expect(written([...lines, 'WARC-Truncated: time'], { isTruncated: true }).fields).toMatchObject({
      'warc-truncated': 'time',
    })
  })
})

test.each([
  ['no date', changed({ 'WARC-Date': undefined }), 'dateMissing'],
  ['an empty date', changed({ 'WARC-Date': 'WARC-Date: ' }), 'dateMissing'],
  ['a date that cannot be read', changed({ 'WARC-Date': 'WARC-Date: 2020-13-01T00:00:00Z' }), 'dateInvalid'],
  [
    'the date of a year that Date.UTC takes for another',
    changed({ 'WARC-Date': 'WARC-Date: 0050-01-01' }),
    'dateInvalid',
  ],
  ['neither type nor Content-Type', changed({ 'WARC-Type': undefined, 'Content-Type': undefined }), 'typeMissing'],
  [
    'a message type, or a revisit of a message',
    [...changed({ 'WARC-Type': undefined }), 'WARC-Refers-To: <a:b>'],
    'typeMissing',
  ],
])('%s: invents nothing', (_what, lines, rule) => {
  expect(written(lines)).toEqual({ lacks: rule })
})

test('any header is written so that every reader accepts it, or not at all', () => {
  const piece = fc.oneof(
    fc.constantFrom(...good, 'WARC-Date: x', 'WARC-Type: a b', 'Content-Length:', ' folded', '\t', ':', 'x\0: y', ''),
    fc.string({ maxLength: 20, unit: 'binary-ascii' }),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), fc.constantFrom('\r\n', '\n', '\r\r\n'), (lines, lineEnd) => {
      written(['WARC/1.0', ...lines.map((line) => line.replaceAll('\n', ''))], { lineEnd })
    }),
    { numRuns: 2000 },
  )
})
