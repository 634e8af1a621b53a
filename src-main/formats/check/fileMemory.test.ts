import { textOf } from '../../contract/words/render.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readRecords } from '../records/readRecords.ts'
import type { RuleName } from '../rules/rules.ts'
import { FileMemory } from './fileMemory.ts'
import { idOf, warcRecord, type Fields } from './testing/recordFixtures.ts'
import { sourceOf } from '../bytes/testing/sourceOf.ts'

type Row = [type: string, fields: Fields, ...expected: RuleName[]]

/** Expects these findings for each record in the context of its file, and at the end of the file. */
async function check(rows: Row[], atEnd: RuleName[] = [], fileName = 'a.warc'): Promise<void> {
  const text = rows.map(([type, fields]) => warcRecord(type, { fields })).join('')
  const memory = new FileMemory(fileName)
  const found: RuleName[][] = []
  for await (const record of readRecords(sourceOf(Buffer.from(text, 'latin1'))))
    found.push(memory.check(record).map(({ rule }) => rule))
  expect(found).toEqual(rows.map(([, , ...expected]) => expected))
  expect(memory.end().map(({ rule }) => rule)).toEqual(atEnd)
}

const id = (number: number): Fields => ({ 'WARC-Record-ID': idOf(number) })
const warcinfo: Row = ['warcinfo', id(1)]

test('reports repeated record ids', async () => {
  await check([warcinfo, ['response', id(2)], ['request', id(3)]])
  await check([warcinfo, ['response', id(2)], ['request', id(2), 'recordIdRepeated']])
  await check([warcinfo, ['response', { 'WARC-Record-ID': undefined }], ['request', { 'WARC-Record-ID': undefined }]])
})

test('reports when there are more ids than it remembers', async () => {
  const memory = new FileMemory('a.warc', { idsMax: 3 })
  const text = [1, 2, 3, 4, 5, 5, 2].map((number) => warcRecord('warcinfo', { fields: id(number) })).join('')
  const found: RuleName[][] = []
  for await (const record of readRecords(sourceOf(Buffer.from(text))))
    found.push(memory.check(record).map(({ rule }) => rule))
  expect(found).toEqual([[], [], [], [], [], [], ['recordIdRepeated']])
  const [end] = memory.end()
  expect(end?.rule).toBe('idsNotCompared')
  expect(end && textOf(end.message)).toContain('3 records')
})

test('recognises every earlier id below the limit', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(3000), { maxLength: 4000, minLength: 1000 }), (numbers) => {
      const memory = new FileMemory('a.warc')
      const known = new Set<number>()
      for (const number of numbers) {
        const fields: [string, string][] = [['WARC-Record-ID', `<urn:x:${number}>`]]
        const found = memory.check({ ...plain, fields })
        expect(found.map(({ rule }) => rule)).toEqual(known.has(number) ? ['recordIdRepeated'] : [])
        known.add(number)
      }
    }),
    { numRuns: 10 },
  )
})

const plain = {
  format: 'warc' as const,
  version: 'WARC/1.1',
  number: 1,
  offset: 0,
  addressable: true,
  type: 'warcinfo',
  header: new Uint8Array(0),
  url: undefined,
  date: '',
  contentType: undefined,
  blockBytes: 0,
  heldBlock: undefined,
  async *block() {},
  finish: () => Promise.resolve({ length: 0, whole: true, findings: [] }),
}

test('finds the warcinfo record of each record', async () => {
  await check([['response', id(2), 'warcinfoNotFirst']])
  const named = { 'WARC-Warcinfo-ID': idOf(1) }
  await check([warcinfo, ['response', { ...id(2), ...named }]])
  const elsewhere = { 'WARC-Warcinfo-ID': idOf(77) }
  // Once for each that is named.
  await check([
    warcinfo,
    ['response', { ...id(2), ...elsewhere }, 'warcinfoElsewhere'],
    ['request', { ...id(3), ...elsewhere }],
  ])
})

test('compares the file name in the warcinfo record', async () => {
  const named = (name: string, fileName: string, ...expected: RuleName[]) =>
    check([['warcinfo', { 'WARC-Filename': name }, ...expected]], [], fileName)
  await named('a.warc.gz', 'a.warc.gz')
  await named('a.warc.gz.open', '/archive/2026/a.warc')
  await named('"a.warc.gz"', 'x.wacz!archive/a.warc.gz')
  await named('a.warc.gz', 'b.warc.gz', 'filenameDiffers')
  // A name that makes a backtracking regular expression quadratic.
  await named(`${'.gz'.repeat(300_000)}x`, 'a.warc.gz', 'filenameDiffers')
})

test('checks the order of segments', async () => {
  const url = { 'WARC-Target-URI': 'http://a/' }
  const first: Row = ['resource', { ...id(2), ...url, 'WARC-Segment-Number': '1' }]
  const next = (number: number, fields: Fields, ...expected: RuleName[]): Row => [
    'continuation',
    {
      ...id(10 + number),
      ...url,
      'WARC-Segment-Number': String(number),
      'WARC-Segment-Origin-ID': idOf(2),
      ...fields,
    },
    ...expected,
  ]
  // "text" and twice "the rest".
  const total = { 'WARC-Segment-Total-Length': '20' }
  await check([warcinfo, first, next(2, {}), next(3, total)])
  await check([warcinfo, first, next(2, {})], ['segmentsIncomplete'])
  await check([warcinfo, first], ['segmentsIncomplete'])
  await check([warcinfo, first, next(3, total, 'segmentOutOfOrder')])
  await check([warcinfo, first, next(2, {}), next(3, { 'WARC-Segment-Total-Length': '21' }, 'segmentTotalWrong')])
  await check([
    warcinfo,
    first,
    next(2, { 'WARC-Segment-Total-Length': '12', 'WARC-Target-URI': 'http://b/' }, 'segmentTargetDiffers'),
  ])
  // Segments that began in another file cannot be summed.
  await check([warcinfo, next(5, total)])
})
