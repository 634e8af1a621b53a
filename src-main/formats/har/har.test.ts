import { sourceOf } from '../bytes/testing/sourceOf.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FileWindow, type ByteSource } from '../bytes/fileWindow.ts'
import type { Finding } from '../rules/finding.ts'
import { entryBytesMax, readHar, type HarEntry, type HarLog } from './har.ts'

async function read(text: string | Uint8Array, readBytes?: number) {
  const bytes = Buffer.from(text)
  const source = sourceOf(bytes)
  const findings: Finding[] = []
  const logs: HarLog[] = []
  const entries: HarEntry[] = []
  const options = { onFinding: (found: Finding) => findings.push(found), onLog: (log: HarLog) => logs.push(log) }
  for await (const entry of readHar(source, options, new FileWindow(source, readBytes))) entries.push(entry)
  return {
    values: entries.map(({ value }) => value),
    entries,
    rules: findings.map(({ rule }) => rule),
    findings,
    logs,
  }
}

const creator = { name: 'Test', version: '1' }
function har(entries: unknown[], log: Record<string, unknown> = {}): string {
  return JSON.stringify({ log: { version: '1.2', creator, ...log, entries } })
}

test('returns every entry with its position for any division into reads', async () => {
  const spaces = fc.constantFrom(undefined, 2, '\t')
  const entries = fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(
      entries,
      fc.jsonValue(),
      spaces,
      fc.integer({ min: 1, max: 40 }),
      async (all, pages, space, cut) => {
        const text = JSON.stringify({ log: { version: '1.2', pages, entries: all, comment: 'x' } }, undefined, space)
        const { entries: found, values, rules } = await read(text, cut)
        expect(rules).toEqual([])
        expect(values).toEqual(JSON.parse(JSON.stringify(all)))
        const bytes = Buffer.from(text)
        for (const { offset, length, value } of found)
          expect(JSON.parse(bytes.subarray(offset, offset + length).toString())).toEqual(value)
      },
    ),
  )
})

test('truncated at every byte: returns the complete entries and reports the truncation', async () => {
  const all = [{ a: 'x"\\' }, { b: ['[{', { c: 1 }] }, { d: 'ä\u2028' }]
  const bytes = Buffer.from(har(all))
  const end = bytes.lastIndexOf(']') + 1
  for (let length = 0; length < bytes.length; length++) {
    const { values, rules } = await read(bytes.subarray(0, length), 7)
    expect(values).toEqual(all.slice(0, values.length))
    expect(rules.length > 0, `cut at ${length}`).toBe(length < end)
  }
})

test('random bytes and random changes never make it throw', async () => {
  const bytes = Buffer.from(har([{ a: 1 }, { b: 'two' }]))
  await fc.assert(fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (noise) => void (await read(noise, 9))))
  for (let at = 0; at < bytes.length; at++)
    for (const byte of [0, 0x22, 0x5b, 0x5c, 0x5d, 0x7b, 0x7d, 0xff]) {
      const changed = Buffer.from(bytes)
      changed[at] = byte
      await read(changed)
    }
})

const rows: [name: string, text: string, values: unknown[], rules: string[]][] = [
  ['empty list', har([]), [], []],
  ['byte order mark', `\ufeff${har([{ a: 1 }])}`, [{ a: 1 }], ['harByteOrderMark']],
  ['HAR 1.1', har([{ a: 1 }], { version: '1.1' }), [{ a: 1 }], ['harVersionOdd']],
  ['no version', '{"log":{"entries":[{}]}}', [{}], ['harVersionOdd']],
  ['entries after other objects', '{"x":{"entries":[1]},"log":{"version":"1.2","entries":[{}]}}', [{}], []],
  ['not HAR', '{"entries":[{}]}', [], ['harNoEntries']],
  ['a list', '[]', [], ['harNoEntries']],
  ['nothing', '', [], ['harNoEntries']],
  ['entries that are not a list', '{"log":{"version":"1.2","entries":{}}}', [], ['harNoEntries']],
  ['an entry that is not an object', har([1, { a: 1 }, null]), [{ a: 1 }], ['harEntryDamaged', 'harEntryDamaged']],
  ['an entry that is not JSON', '{"log":{"version":"1.2","entries":[{"a":x},{}]}}', [{}], ['harEntryDamaged']],
  ['no comma', '{"log":{"version":"1.2","entries":[{} {}]}}', [{}], ['harDamaged']],
  ['torn in a number of an entry', '{"log":{"version":"1.2","entries":[{},{"a":12', [{}], ['harTorn']],
  ['torn between entries', '{"log":{"version":"1.2","entries":[{},', [{}], ['harTorn']],
]

test.each(rows)('%s', async (_name, text, values, rules) => {
  const found = await read(text)
  expect(found.values).toEqual(values)
  expect(found.rules).toEqual(rules)
})

test('reads the name of the program that wrote the log', async () => {
  const { logs } = await read(har([], { browser: { name: 'Chrome', version: '120' } }))
  expect(logs).toEqual([{ version: '1.2', creator: 'Test 1', browser: 'Chrome 120' }])
})

/** A file of any size, never held: `text`, then `filler` over and over up to `bytes`, then `end`. */
function huge(text: string, filler: string, fillerCount: number, end: string): ByteSource & { bytes: number } {
  const [head, part, tail] = [Buffer.from(text), Buffer.from(filler), Buffer.from(end)]
  const tailAt = head.length + part.length * fillerCount
  const byteAt = (at: number) =>
    at < head.length ? head[at] : at < tailAt ? part[(at - head.length) % part.length] : tail[at - tailAt]
  return {
    bytes: tailAt + tail.length,
    read(into, position) {
      const count = Math.max(0, Math.min(into.length, tailAt + tail.length - position))
      for (let at = 0; at < count; at++) into[at] = byteAt(position + at) ?? 0
      return Promise.resolve(count)
    },
  }
}

test.each([
  [
    'a string that is too large',
    '{"log":{"version":"1.2","entries":[{"a":"',
    'xxxxxxxx',
    entryBytesMax / 8 + 1,
    '"},{"b":2}]}}',
  ],
  ['a million values', '{"log":{"version":"1.2","entries":[{"a":[1', ',1', 1_000_001, ']},{"b":2}]}}'],
  [
    'too many nested brackets',
    '{"log":{"version":"1.2","entries":[',
    '[',
    1_000_001,
    `${']'.repeat(1_000_001)},{"b":2}]}}`,
  ],
])('skips an entry beyond a limit: %s', async (_name, text, filler, count, end) => {
  const findings: Finding[] = []
  const values: unknown[] = []
  const source = huge(text, filler, count, end)
  for await (const { value } of readHar(source, { onFinding: (found) => findings.push(found) })) values.push(value)
  expect(values).toEqual([{ b: 2 }])
  expect(findings.map(({ rule, record, offset }) => ({ rule, record, offset }))).toEqual([
    { rule: 'harEntryTooLarge', record: 1, offset: 35 },
  ])
})
