/** The index lines that the output makes while it writes a file: equal to the lines of a reader, or absent. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseResponseHead } from '../../../formats/http/http.ts'
import { answerBytesInMemoryMax } from '../../model/limits.ts'
import { outputTrial, type Exchange } from './testing/outputFixture.ts'

const runs = { numRuns: Number(process.env['LOUPE_PROPERTY_RUNS'] ?? 30) }
const page: Exchange = {
  url: 'http://a.test/?q=1',
  request: 'GET /?q=1 HTTP/1.1\r\nHost: a.test\r\n\r\n',
  response: 'HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\nhello',
}
const posted: Exchange = {
  url: 'http://a.test/form',
  request: 'POST /form HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 3\r\n\r\na=b',
  response: 'HTTP/1.1 303 See Other\r\nLocation: /\r\n\r\n',
}
const large: Exchange = {
  ...page,
  url: 'http://b.test/',
  response: `${page.response}${'x'.repeat(answerBytesInMemoryMax)}`,
}

const exchange = fc.oneof(
  fc.constantFrom(page, posted),
  fc.record({
    url: fc.webUrl({ withQueryParameters: true, withFragments: true }),
    request: fc.constantFrom(page.request, posted.request, 'get / HTTP/1.1\r\n\r\n', 'PUT / HTTP/1.1\r\n\r\n{"a": 1}'),
    response: fc
      .tuple(
        fc.constantFrom('HTTP/1.1 200 OK', 'HTTP/1.0 404', 'HTTP/1.1 304 Not Modified', 'ICY 200 OK'),
        fc.constantFrom('', 'Content-Type: image/png', 'content-type :text/html;a=b', 'Content-Type: a b, c'),
        fc.constantFrom('', 'Transfer-Encoding: chunked', 'X-Long: a\r\n b'),
        fc.constantFrom('', '5\r\nhello\r\n0\r\n\r\n', 'body'),
      )
      .map(
        ([status, type, more, body]) =>
          `${[status, type, more].filter((line) => line !== '').join('\r\n')}\r\n\r\n${body}`,
      )
      .filter((text) => parseResponseHead(Buffer.from(text)) !== undefined),
  }),
)

test('the lines kept for each file equal those of a reader', async () => {
  const given = fc.record({
    warcVersion: fc.constantFrom('1.0' as const, '1.1' as const),
    payloadDigest: fc.constantFrom('standard' as const, 'asStored' as const),
    fileBytesMax: fc.constantFrom(2_000, 1_000_000),
  })
  const batches = fc.array(fc.array(exchange, { maxLength: 5 }), { maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(given, batches, async (settings, exchanges) => {
      const { world, open, keep, files } = await outputTrial(settings)
      const made = await world.run(
        (async function harvested() {
          const output = open()
          for (const batch of exchanges) await keep(output, batch)
          await output.close()
          return files()
        })(),
      )
      for (const { kept, read, sha256 } of made) {
        expect(kept).toBe(read)
        expect(sha256).toMatch(/^[0-9a-f]{64}$/)
      }
    }),
    runs,
  )
})

test('an answer too large for the memory has the same line as a reader makes', async () => {
  const { world, open, keep, files } = await outputTrial()
  const output = open()
  await world.run(keep(output, [page, large, posted]))
  await world.run(output.close())
  const [file] = await world.run(files())
  expect(file?.read?.trim().split('\n')).toHaveLength(4)
  expect(file?.kept).toBe(file?.read)
})

test('a file that another process began has no kept lines: they are built by reading it', async () => {
  const { world, open, keep, files, leftOver } = await outputTrial()
  const first = open()
  await world.run(keep(first, [page]))
  await world.run(first.abandon())
  const second = open()
  await world.run(keep(second, [posted]))
  await world.run(second.close())
  const [file] = await world.run(files())
  expect(file).toMatchObject({ kept: undefined, sha256: null })
  expect(file?.read).toContain('"method": "POST"')
  expect((await world.run(leftOver())).filter((name) => name.startsWith('.'))).toEqual([])
})
