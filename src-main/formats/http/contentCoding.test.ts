import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeContent } from './contentCoding.ts'

const encoders: Record<string, ((bytes: Uint8Array) => Uint8Array)[]> = {
  gzip: [(bytes) => gzipSync(bytes)],
  'x-gzip': [(bytes) => gzipSync(bytes)],
  deflate: [(bytes) => deflateSync(bytes), (bytes) => deflateRawSync(bytes)],
  br: [(bytes) => brotliCompressSync(bytes)],
  zstd: [(bytes) => zstdCompressSync(bytes)],
}
const ways: { name: string; encode: (bytes: Uint8Array) => Uint8Array }[] = Object.entries(encoders).flatMap(
  ([name, list]) => list.map((encode) => ({ name, encode })),
)
const text = Buffer.from(Array.from({ length: 400 }, (_, line) => `line ${line} of a page\n`).join(''))

test('decodes each coding, alone and combined', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...ways), { maxLength: 3 }), fc.uint8Array(), (layers, bytes) => {
      const coded = layers.reduce<Uint8Array>((inner, { encode }) => encode(inner), bytes)
      const decoded = decodeContent(
        coded,
        layers.map(({ name }) => ` ${name.toUpperCase()}`),
        1e6,
      )
      expect(Buffer.from(decoded.bytes).equals(bytes)).toBe(true)
      expect(decoded).toMatchObject({ findings: [], truncated: false })
    }),
  )
})

test('a truncated body gives the content before the end', () => {
  for (const { name, encode } of ways) {
    const coded = encode(text)
    for (let cut = 0; cut < coded.length; cut++) {
      const { bytes, findings } = decodeContent(coded.subarray(0, cut), [name], 1e6)
      const isBeginning = Buffer.from(bytes).equals(text.subarray(0, bytes.length))
      // Too short to decode a single byte: the content is left unchanged, which is reported.
      expect(isBeginning || findings[0]?.rule === 'notCoded', `${name} cut at ${cut}`).toBe(true)
      if (cut > 0 && bytes.length < text.length) expect(findings).toHaveLength(1)
    }
  }
})

test('a decompression bomb is cut off at the limit', () => {
  for (const { name, encode } of ways) {
    const { bytes, truncated, findings } = decodeContent(encode(Buffer.alloc(30_000_000)), [name], 2_000_000)
    expect(bytes.length, name).toBeLessThanOrEqual(2_000_000)
    expect(truncated).toBe(true)
    expect(findings.map(({ rule }) => rule)).toEqual(['contentTooLarge'])
  }
  expect(decodeContent(gzipSync(Buffer.alloc(30_000_000)), ['gzip'], 2_000_000).bytes.length).toBe(2_000_000)
})

test('damage in the middle keeps the content before it', () => {
  const coded = Buffer.from(gzipSync(Buffer.from(Array.from({ length: 30_000 }, (_, n) => (n * n * 7919) % 251))))
  coded.fill(0xff, coded.length >> 1, (coded.length >> 1) + 50)
  const { bytes, findings } = decodeContent(coded, ['gzip'], 1e6)
  expect(bytes.length).toBeGreaterThan(0)
  expect(findings).toHaveLength(1)
})

test('uncoded and unknown codings are returned unchanged', () => {
  const check = (codings: string[], rule: string | undefined) => {
    const { bytes, findings } = decodeContent(text, codings, 1e6)
    expect(Buffer.from(bytes).equals(text)).toBe(true)
    expect(findings.map((finding) => finding.rule)).toEqual(rule === undefined ? [] : [rule])
  }
  check([], undefined)
  check(['identity', ''], undefined)
  check(['gzip'], 'notCoded')
  check(['br'], 'notCoded')
  check(['sdch'], 'codingUnknown')
  check(['gzip', 'gzip', 'gzip', 'gzip', 'gzip'], 'codingsTooMany')
})

test('joins consecutive zstd frames and skips skippable frames', () => {
  const frames = [zstdCompressSync(text), zstdCompressSync(text)]
  // RFC 8878, 3.1.2.
  const skippable = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 1, 2])
  const check = (coded: Uint8Array[], expected: Uint8Array[], ...rules: string[]) => {
    const { bytes, findings } = decodeContent(Buffer.concat(coded), ['zstd'], 1e6)
    expect(Buffer.from(bytes).equals(Buffer.concat(expected))).toBe(true)
    expect(findings.map(({ rule }) => rule)).toEqual(rules)
  }
  check(frames, [text, text])
  check([skippable, ...frames, skippable], [text, text])
  check([...frames, Buffer.from('not of it')], [text, text])
})
