import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseCrawlLogLine } from './crawlLog.ts'
import { annotationMeaning, annotationText, crawlLogText, type CrawlLogEntry } from './crawlLogText.ts'

const fetched: CrawlLogEntry = {
  ...{ loggedMs: Date.UTC(2026, 5, 23, 17, 12, 8, 802), status: 200, contentBytes: 15829 },
  ...{
    url: 'http://www.museum.example/art?a=1',
    hopPath: 'LE',
    via: 'http://www.museum.example/',
    mediaType: 'text/html',
  },
  ...{
    beganMs: Date.UTC(2026, 5, 23, 17, 12, 7, 880),
    durationMs: 922,
    payloadDigest: 'sha1:YIUOKDGOLGI5JYHDTXRFFQ5FF4N2EJRV',
  },
  ...{ source: 'http://www.museum.example/', annotations: ['2t', 'content-size:16100'] },
}
const unfetched: CrawlLogEntry = {
  ...{ loggedMs: fetched.loggedMs, status: -9998, contentBytes: undefined, url: 'http://www.museum.example/x' },
  ...{ hopPath: '', via: undefined, mediaType: '', beganMs: undefined, durationMs: undefined, payloadDigest: '' },
  ...{ source: undefined, annotations: [] },
}

test.each<[string, CrawlLogEntry, string]>([
  [
    'a fetched URL',
    fetched,
    '2026-06-23T17:12:08.802Z   200      15829 http://www.museum.example/art?a=1 LE http://www.museum.example/ text/html #000 20260623171207880+922 sha1:YIUOKDGOLGI5JYHDTXRFFQ5FF4N2EJRV http://www.museum.example/ 2t,content-size:16100\n',
  ],
  [
    'a URL that was not fetched',
    unfetched,
    '2026-06-23T17:12:08.802Z -9998          - http://www.museum.example/x - - unknown #000 - - - -\n',
  ],
  [
    'a response without a type and with a long or unusual URL and hop path',
    { ...fetched, mediaType: '', url: 'http://a.example/a b\u00e9\n', hopPath: 'L'.repeat(62), annotations: [] },
    `2026-06-23T17:12:08.802Z   200      15829 http://a.example/a%20b%C3%A9%0A 12+${'L'.repeat(50)} http://www.museum.example/ no-type #000 20260623171207880+922 sha1:YIUOKDGOLGI5JYHDTXRFFQ5FF4N2EJRV http://www.museum.example/ -\n`,
  ],
])('a line of %s', (_, entry, text) => {
  expect(crawlLogText(entry)).toBe(text)
})

test('every line has twelve fields and is read back unchanged', () => {
  const ms = fc.integer({ min: 0, max: Date.UTC(2100, 0) })
  const url = fc.webUrl({ withQueryParameters: true })
  const entries = fc.record({
    loggedMs: ms,
    status: fc.integer({ min: -9998, max: 999 }),
    contentBytes: fc.option(fc.nat(), { nil: undefined }),
    url,
    hopPath: fc.stringMatching(/^[LEXRPM]{0,50}$/),
    via: fc.option(url, { nil: undefined }),
    mediaType: fc.constantFrom('', 'text/html', 'image/svg+xml'),
    beganMs: fc.option(ms, { nil: undefined }),
    durationMs: fc.nat({ max: 1e9 }),
    payloadDigest: fc.constantFrom('', 'sha1:YIUOKDGOLGI5JYHDTXRFFQ5FF4N2EJRV'),
    source: fc.option(url, { nil: undefined }),
    annotations: fc.array(
      fc.string({ unit: 'binary' }).map((text) => `failed:refused:${annotationText(text)}`),
      { maxLength: 2 },
    ),
  })
  fc.assert(
    fc.property(entries, ({ durationMs, ...entry }) => {
      const whole = { ...entry, durationMs: entry.beganMs === undefined ? undefined : durationMs }
      const text = crawlLogText(whole)
      expect(text.trim().split(/\s+/)).toHaveLength(12)
      const { line, findings } = parseCrawlLogLine(text)
      expect(findings).toEqual([])
      expect(line).toEqual({ ...whole, annotations: whole.annotations.join(',') })
    }),
  )
})

test('any detail is read back and never looks like another annotation', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const encoded = annotationText(text)
      expect(encoded).toMatch(/^[!-~]*$/)
      expect(encoded).not.toMatch(/[,"\s]/)
      expect(annotationMeaning(encoded)).toBe(text)
    }),
  )
})
