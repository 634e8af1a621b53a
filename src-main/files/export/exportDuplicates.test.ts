import { sourceOf } from '../../formats/bytes/testing/sourceOf.ts'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { readRecords } from '../../formats/records/readRecords.ts'
import { recordField } from '../../formats/records/record.ts'
import { seededWorld } from '../../world/testing/seeded.ts'
import { duplicateLine, type ExportedDuplicate } from './duplicates.ts'
import { duplicatesAtOnceMax } from './limits.ts'
import type { WaczForm } from './export.ts'
import { message } from '../../contract/words/message.ts'
import { textOf } from '../../contract/words/render.ts'
import {
  noonMs,
  dateOf,
  html,
  answer,
  packed,
  type Given,
  remarksOf,
  exporting,
  info,
} from './testing/exportFixture.ts'

describe('duplicates that only a crawl log names', () => {
  const original = answer('original', 'http://a.test/image', 10, html('x'))
  const other = answer('other', 'http://a.test/other', 11, html('y'))
  const elsewhere = packed(info('e'), original, other)
  const [infoBytes = 0, originalBytes = 0] = [info('e'), original].map((bytes) => gzipSync(bytes).length)
  const at = (second: number) => noonMs + 86_400_000 + second * 1000
  const digestOf = (bytes: Buffer) => /WARC-Payload-Digest: (\S+)/.exec(bytes.toString('latin1'))?.[1] ?? ''
  const duplicate = (more: Partial<ExportedDuplicate> = {}): ExportedDuplicate => ({
    ...{ url: 'http://a.test/image', timestampMs: at(0), status: 200, mediaType: 'image/png' },
    ...{ payloadDigest: digestOf(original), job: 7 },
    original: { filename: 'old.warc.gz', offset: infoBytes, url: 'http://a.test/image', timestampMs: null },
    ...more,
  })
  const files = { 'new.warc.gz': packed(info('i'), answer('page', 'http://a.test/', 20)) }

  async function exportedWith(
    duplicates: ExportedDuplicate[],
    given: Given = {},
    /** Revisits of the export whose originals are in the file outside of it. */
    revisits: NonNullable<Given['elsewhere']>['revisits'] = [],
  ) {
    const world = seededWorld({ seed: 1 })
    return world.run(
      (async () => {
        await world.disk.makeFolder('/old')
        await world.disk.write('/old/old.warc.gz', elsewhere)
        await world.disk.write('/old/list', Buffer.from(duplicates.map(duplicateLine).join('')))
        const source = { name: 'old.warc.gz', path: '/old/old.warc.gz', job: 3, bytes: elsewhere.length, sha256: '0' }
        const listed = { list: '/old/list', originals: [source], lacking: [] }
        const others = { revisits, files: [source], lacking: [] }
        return exporting(world, files, { ...given, duplicates: listed, elsewhere: others }, {})
      })(),
    )
  }

  async function recordsIn(bytes: Uint8Array) {
    const found: string[][] = []
    const findings: string[] = []
    for await (const record of readRecords(sourceOf(bytes), {
      onFinding: ({ message }) => findings.push(textOf(message)),
    })) {
      const fields = [
        'warc-target-uri',
        'warc-date',
        'warc-refers-to-target-uri',
        'warc-refers-to-date',
        'warc-payload-digest',
      ]
      found.push([record.type, ...fields.map((name) => recordField(record, name) ?? '-')])
    }
    expect(findings).toEqual([])
    return found
  }

  test('writes each as a revisit after its original, with the source of the reference', async () => {
    const { outcome, bytes } = await exportedWith([
      duplicate(),
      duplicate({ url: 'http://a.test/again', timestampMs: at(1) }),
    ])
    expect(outcome).toMatchObject({ kind: 'written', records: 6, complete: true })
    expect(outcome).toMatchObject({ remarks: [message('export.duplicates', { count: 2 })] })
    const refersTo = ['http://a.test/image', dateOf(10), digestOf(original)]
    expect((await recordsIn(bytes)).slice(2)).toEqual([
      ['warcinfo', ...Array<string>(1).fill('-'), expect.any(String) as string, '-', '-', '-'],
      ['response', 'http://a.test/image', dateOf(10), '-', '-', digestOf(original)],
      ['revisit', 'http://a.test/image', new Date(at(0)).toISOString(), ...refersTo],
      ['revisit', 'http://a.test/again', new Date(at(1)).toISOString(), ...refersTo],
    ])
  })

  test('a filtered export includes those that match by URL and time, and finds them where there is no other record', async () => {
    const all = [duplicate(), duplicate({ url: 'http://b.test/', timestampMs: at(1) })]
    const { outcome, bytes } = await exportedWith(all, { narrowing: { url: 'b.test' } })
    expect(outcome).toMatchObject({ kind: 'written', records: 3, complete: true })
    expect((await recordsIn(bytes)).map(([type, url]) => [type, url])).toEqual([
      ['warcinfo', '-'],
      ['response', 'http://a.test/image'],
      ['revisit', 'http://b.test/'],
    ])
    const later = await exportedWith(all, { narrowing: { fromMs: at(1) } })
    expect((await recordsIn(later.bytes)).filter(([type]) => type === 'revisit')).toHaveLength(1)
  })

  test('writes an original once that is in the files of the export', async () => {
    const { length } = gzipSync(info('i'))
    const own = { filename: 'new.warc.gz', offset: length, url: 'http://a.test/', timestampMs: null }
    const given = duplicate({ url: 'http://b.test/', original: own, payloadDigest: '' })
    for (const narrowing of [{}, { url: 'b.test' }]) {
      const { outcome, bytes } = await exportedWith([given], { narrowing })
      expect(outcome).toMatchObject({ complete: true })
      const types = (await recordsIn(bytes)).map(([type]) => type)
      expect(types.filter((type) => type === 'response' || type === 'revisit')).toEqual(['response', 'revisit'])
    }
  })

  test('writes an original once that a revisit of the export refers to as well', async () => {
    const revisit = { url: 'http://a.test/', timestampMs: at(0), filename: 'old.warc.gz', offset: infoBytes }
    const { bytes } = await exportedWith([duplicate()], {}, [revisit, { ...revisit, timestampMs: at(1) }])
    const found = (await recordsIn(bytes)).map(([type, url]) => `${type} ${url}`)
    expect(found.filter((each) => each === 'response http://a.test/image')).toHaveLength(1)
    expect(found.at(-1)).toBe('revisit http://a.test/image')
  })

  test('writes an original once that has more duplicates than are written at once', async () => {
    const all = Array.from({ length: duplicatesAtOnceMax + 1 }, (_, second) => duplicate({ timestampMs: at(second) }))
    const { outcome, bytes } = await exportedWith(all)
    expect(outcome).toMatchObject({ complete: true })
    const types = (await recordsIn(bytes)).slice(3).map(([type]) => type)
    expect(types).toEqual(['response', ...all.map(() => 'revisit')])
  })

  test.each([
    ['in a missing file', { filename: 'gone.arc' }],
    ['where no record begins', { offset: 3 }],
    ['of another URL', { offset: infoBytes + originalBytes }],
  ])('writes and reports one whose original should be %s', async (_, place) => {
    const base = duplicate()
    const lost = duplicate({ original: { ...base.original, ...place } })
    const { outcome } = await exportedWith([lost])
    expect(outcome).toMatchObject({ kind: 'written', complete: false })
    const { filename, offset } = lost.original
    expect(remarksOf(outcome)[1]).toBe(
      `The archive does not have the original of 1 duplicate from crawl logs (first: ${filename} at ${offset}). The export alone cannot show the duplicate.`,
    )
  })

  test('without originals, writes the revisits only and reports that they cannot be replayed', async () => {
    const { outcome, bytes } = await exportedWith([duplicate()], { withOriginals: false })
    expect(outcome).toMatchObject({ kind: 'written', complete: false })
    expect((await recordsIn(bytes)).map(([type]) => type)).toEqual(['warcinfo', 'response', 'warcinfo', 'revisit'])
  })

  test('a table has a row for each, with the position of its original', async () => {
    const { bytes } = await exportedWith([duplicate()], { form: { format: 'csv' } })
    expect(bytes.toString().split('\r\n')[2]).toBe(
      `http://a.test/image,${new Date(at(0)).toISOString()},200,image/png,${digestOf(original)},,old.warc.gz,${infoBytes},7`,
    )
  })

  test('a package has index lines for original and revisit', async () => {
    const wacz: WaczForm = { version: '1.1.1', title: 'T', beginAt: [], key: undefined }
    const { outcome } = await exportedWith([duplicate()], { form: { format: 'wacz', ...wacz } })
    expect(outcome).toMatchObject({ kind: 'written', complete: true, records: 5 })
  })
})
