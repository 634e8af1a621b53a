import { crc32, deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { withText } from './pngText.ts'
import { electronPrintOptions, imageTexts, printOptions, type Provenance } from './provenance.ts'
import { imageOf, pictureSidePxMax } from './wholePage.ts'

const provenance: Provenance = {
  url: 'http://example.org/?a=1&b=<script>alert("x")</script>',
  captured: '2011-05-03T12:00:20.000Z',
  made: '2026-11-22T15:00:00.000Z',
  software: 'Loupe/0.1.0',
}

function chunk(name: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(name), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}

/** Parses a PNG by its specification: name and data of each chunk, with verified checksums. */
function chunksOf(png: Buffer): { name: string; data: Buffer }[] {
  const chunks = []
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at)
    const body = png.subarray(at + 4, at + 8 + length)
    expect(png.readUInt32BE(at + 8 + length)).toBe(crc32(body))
    chunks.push({ name: body.toString('latin1', 0, 4), data: body.subarray(4) })
    at += length + 12
  }
  return chunks
}

test('text follows the header of a PNG, and everything else is unchanged', () => {
  const header = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0])
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const rest = [chunk('IDAT', deflateSync(Buffer.from([0, 255]))), chunk('IEND', new Uint8Array(0))]
  const png = Buffer.concat([signature, chunk('IHDR', header), ...rest])
  const told = withText(png, imageTexts({ ...provenance, url: 'http://zażółć.example/' }))
  const chunks = chunksOf(told)
  expect(chunks.map(({ name }) => name)).toEqual(['IHDR', 'iTXt', 'iTXt', 'iTXt', 'iTXt', 'IDAT', 'IEND'])
  expect(chunks.slice(1, 5).map(({ data }) => data.toString().split('\0').filter(Boolean))).toEqual([
    ['Source', 'http://zażółć.example/'],
    ['Comment', 'Captured 2011-05-03 12:00:20 UTC; this image was made 2026-11-22 15:00:00 UTC.'],
    ['Creation Time', '2026-11-22T15:00:00.000Z'],
    ['Software', 'Loupe/0.1.0'],
  ])
  expect(told.subarray(-rest[0]!.length - rest[1]!.length)).toEqual(Buffer.concat(rest))
})

test.each([
  ['the protocol', printOptions(provenance)],
  ['Electron', electronPrintOptions(provenance)],
])('a print names its source on each page and escapes the URL: %s', (_, options) => {
  expect(options.headerTemplate).toContain('Captured 2011-05-03 12:00:20 UTC')
  expect(options.headerTemplate).toContain('http://example.org/?a=1&#38;b=&#60;script&#62;')
  expect(options.headerTemplate).not.toContain('<script>')
  expect(options.footerTemplate).toContain('Made 2026-11-22 15:00:00 UTC by Loupe/0.1.0')
})

test.each([
  ['a page', { width: 1279.5, height: 3000 }, { width: 1280, height: 3000 }, false],
  ['an empty one', { width: 0, height: 0 }, { width: 1, height: 1 }, false],
  ['one without end', { width: 800, height: 1e6 }, { width: 800, height: pictureSidePxMax }, true],
])('an image covers the whole page up to the maximum size: %s', async (_, cssContentSize, clip, isCut) => {
  const asked: object[] = []
  const taken = await imageOf(
    {
      send<Result>(method: string, parameters: object = {}) {
        if (method === 'Page.getLayoutMetrics') return Promise.resolve({ cssContentSize } as Result)
        asked.push(parameters)
        return Promise.resolve({ data: Buffer.from('png').toString('base64') } as Result)
      },
    },
    pictureSidePxMax,
  )
  expect(asked).toMatchObject([{ clip: { x: 0, y: 0, scale: 1, ...clip }, captureBeyondViewport: true }])
  expect(taken).toEqual({ bytes: Buffer.from('png'), isCut })
})
