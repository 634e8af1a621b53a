import { gunzipSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { strictRecords } from '../../formats/rewrite/testing/strictWarc.ts'
import { idOf, record, html, answer, packed, remarksOf, exported, idsIn, info } from './testing/exportFixture.ts'

describe('writing records', () => {
  const one = [info('i'), answer('a', 'http://a.test/'), record({ type: 'metadata', id: 'm', url: 'http://a.test/' })]
  const whole = Buffer.concat(one)

  test('copies members of single records byte for byte', async () => {
    // A level that Loupe never uses, so that compressing again would show.
    const bytes = Buffer.concat(one.map((record) => gzipSync(record, { level: 3 })))
    const { outcome, bytes: written, left } = await exported({ 'a.warc.gz': bytes })
    expect(outcome).toEqual({ kind: 'written', records: 3, bytes: bytes.length, complete: true, remarks: [] })
    expect(written.equals(bytes)).toBe(true)
    expect(left).toEqual(['new'])
  })

  test.each([
    ['plain', whole],
    ['one member for all', gzipSync(whole)],
  ])('%s: compressed again, each in its own member, with the same header and block', async (_, bytes) => {
    const { outcome, bytes: written } = await exported({ 'a.warc': bytes })
    expect(outcome).toMatchObject({ kind: 'written', records: 3, complete: true, remarks: [] })
    expect(gunzipSync(written).equals(whole)).toBe(true)
    expect(await idsIn(written)).toEqual(['i', 'a', 'm'])
  })

  test('any blocks in any packing are restored unchanged', async () => {
    const packings = {
      plain: (all: Buffer[]) => Buffer.concat(all),
      members: (all: Buffer[]) => packed(...all),
      shared: (all: Buffer[]) => gzipSync(Buffer.concat(all)),
    }
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.uint8Array({ maxLength: 200 }), { minLength: 1, maxLength: 5 }),
        fc.constantFrom(...Object.values(packings)),
        async (blocks, pack) => {
          const all = blocks.map((block, index) =>
            record({ type: 'resource', id: `r${index}`, url: `http://a.test/${index}`, block }),
          )
          const { outcome, bytes } = await exported({ a: pack(all) })
          expect(outcome).toMatchObject({ kind: 'written', records: all.length, complete: true })
          expect(gunzipSync(bytes).equals(Buffer.concat(all))).toBe(true)
        },
      ),
      { numRuns: 30 },
    )
  })

  test('a block larger than the memory limit goes through a temporary file, which is removed', async () => {
    const large = Buffer.alloc(9 * 1024 * 1024, 'abcdefg')
    const records = [info('i'), record({ type: 'resource', id: 'l', url: 'http://a.test/l', block: large })]
    const { outcome, bytes, left } = await exported({ 'a.warc': Buffer.concat(records) })
    expect(outcome).toMatchObject({ kind: 'written', records: 2, complete: true })
    expect(gunzipSync(bytes).equals(Buffer.concat(records))).toBe(true)
    expect(left).toEqual(['new'])
  })

  test('records of ARC files become WARC records', async () => {
    const body = html('arc')
    const description = '1 0 Made\nURL IP-address Archive-date Content-type Archive-length\n'
    const arc = [
      `filedesc://a.arc 0.0.0.0 20261120120000 text/plain ${description.length}\n${description}\n`,
      `http://a.test/ 192.0.2.1 20261120120000 text/html ${body.length}\n${body}\n`,
    ].join('')
    const { outcome, bytes } = await exported({ 'a.arc': Buffer.from(arc) }, { narrowing: { url: 'a.test' } })
    expect(outcome).toMatchObject({ kind: 'written', records: 3, complete: true, remarks: [] })
    const text = gunzipSync(bytes).toString('latin1')
    expect(text.match(/^WARC-Type: .*/gm)).toEqual([
      'WARC-Type: warcinfo',
      'WARC-Type: metadata',
      'WARC-Type: response',
    ])
    expect(text).toContain(body)
  })

  test('leaves out and reports a damaged record, and writes the others', async () => {
    const torn = packed(...one).subarray(0, -10)
    const damaged = Buffer.concat([packed(...one), gzipSync(answer('b', 'http://a.test/b')).fill(0x55, 40, 60)])
    for (const [name, bytes, ids] of [
      ['torn', torn, ['i', 'a']],
      ['damaged', damaged, ['i', 'a', 'm']],
    ] as const) {
      const { outcome, bytes: written } = await exported({ [name]: bytes })
      expect(outcome).toMatchObject({ kind: 'written', records: ids.length, complete: false })
      expect(remarksOf(outcome).join()).toContain(`(first: ${name} at `)
      expect(await idsIn(written)).toEqual(ids)
    }
  })

  describe('headers that other programs may refuse', () => {
    const b = answer('b', 'http://a.test/b').toString('latin1')
    const without = (name: string) => Buffer.from(b.replace(new RegExp(`^${name}: .*\r\n`, 'm'), ''), 'latin1')

    test.each([
      ['no id', without('WARC-Record-ID')],
      ['no type', without('WARC-Type')],
      [
        'lines that end with LF',
        Buffer.from(b.replace(/\r\n(?=[^]*\r\n\r\nHTTP)|\r\n(?=\r\nHTTP)|\r\n(?=HTTP)/g, '\n'), 'latin1'),
      ],
      ['another version', Buffer.from(b.replace('WARC/1.1', 'WARC/9.1'), 'latin1')],
    ])('%s: completed and reported', async (_what, odd) => {
      const bytes = packed(info('i'), answer('a', 'http://a.test/a'), odd)
      const { outcome, bytes: written } = await exported({ 'a.warc.gz': bytes })
      expect(outcome).toMatchObject({ kind: 'written', records: 3, complete: true })
      expect(remarksOf(outcome)).toEqual([expect.stringMatching(/^The header of 1 record .* a\.warc\.gz at \d+/)])
      const records = strictRecords(written)
      expect(records.map(({ type }) => type)).toEqual(['warcinfo', 'response', 'response'])
      expect(records[2]?.block.toString()).toBe(html('b'))
    })

    test.each([
      ['no date', without('WARC-Date')],
      ['a date that cannot be read', Buffer.from(b.replace(/WARC-Date: .*/, 'WARC-Date: soon'), 'latin1')],
      [
        'neither type nor Content-Type',
        Buffer.from(
          without('WARC-Type')
            .toString('latin1')
            .replace(/^Content-Type: application.*\r\n/m, ''),
          'latin1',
        ),
      ],
    ])('%s: left out and reported', async (_what, odd) => {
      const bytes = packed(info('i'), odd, answer('a', 'http://a.test/a'))
      const { outcome, bytes: written } = await exported({ 'a.warc.gz': bytes })
      expect(outcome).toMatchObject({ kind: 'written', records: 2, complete: false })
      expect(remarksOf(outcome)).toEqual([
        expect.stringMatching(/^1 record has no valid type or date and is not in this export/),
      ])
      expect(strictRecords(written).map(({ type }) => type)).toEqual(['warcinfo', 'response'])
    })

    test('a change of any header byte still gives a record with its fields and correct framing', async () => {
      const members = [info('i'), answer('a', 'http://a.test/a')]
      const odd = answer('b', 'http://a.test/b')
      for (let at = 0; at < odd.indexOf('\r\n\r\n') + 4; at++) {
        const changedRecord = Buffer.from(odd)
        changedRecord[at] = (changedRecord[at] ?? 0) ^ (1 << (at % 7))
        const { outcome, bytes } = await exported({ 'a.warc.gz': packed(...members, changedRecord) })
        expect(outcome.kind, `byte ${at}`).toBe('written')
        const records = strictRecords(bytes)
        if (outcome.kind === 'written') expect(records).toHaveLength(outcome.records)
        expect(records.map(({ id }) => id)).toEqual(expect.arrayContaining(['i', 'a'].map(idOf)))
      }
    })

    test.each(['\r\n', '\n\n\n\n', '\r\n\r\n\r\n', ''])(
      'a record that ends with %j is compressed again, with the correct end',
      async (end) => {
        const odd = Buffer.concat([Buffer.from(b.slice(0, -4), 'latin1'), Buffer.from(end)])
        const { bytes } = await exported({ 'a.warc.gz': packed(answer('a', 'http://a.test/a'), odd, info('i')) })
        expect(strictRecords(bytes).map(({ id }) => id)).toEqual(['a', 'b', 'i'].map(idOf))
      },
    )

    test('a record in several members is written as one member', async () => {
      const record = Buffer.from(b, 'latin1')
      const parts = [record.subarray(0, 100), record.subarray(100)]
      const { bytes } = await exported({ 'a.warc.gz': packed(answer('a', 'http://a.test/a'), ...parts) })
      expect(strictRecords(bytes).map(({ id }) => id)).toEqual(['a', 'b'].map(idOf))
    })
  })

  test('refuses a file without a readable record and leaves no files', async () => {
    const { outcome, left } = await exported({ a: gzipSync(answer('a', 'http://a.test/')).subarray(0, -12) })
    expect(outcome).toMatchObject({ kind: 'failed', code: 'damaged' })
    expect(left).toEqual([])
  })
})
