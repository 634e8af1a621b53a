import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseCrawlLogLine } from './crawlLog.ts'
import { duplicateOriginIn, equivalentUrlIn, migratedPlaceIn, type DuplicateOrigin } from './duplicates.ts'

const filename = '10-4-20080430204825-00000-sb-test-har-001.statsbiblioteket.dk.arc'
const atMs = Date.UTC(2008, 3, 30, 20, 48, 30)

const origins: [string, string, DuplicateOrigin | undefined][] = [
  ['of older logs', `duplicate:"${filename},1718"`, { filename, offset: 1718, atMs: undefined }],
  ['with a date', `duplicate:"${filename},1718,20080430204830"`, { filename, offset: 1718, atMs }],
  ['with milliseconds', `duplicate:"${filename},1718,20080430204830123"`, { filename, offset: 1718, atMs: atMs + 123 }],
  ['among others', `2t,duplicate:"${filename},1718",content-size:9969`, { filename, offset: 1718, atMs: undefined }],
  ['after an exception', `le:IOException@HTTPduplicate:"${filename},1",3t`, { filename, offset: 1, atMs: undefined }],
  [
    'of a file with a comma in its name',
    'duplicate:"a,b=c.arc,17"',
    { filename: 'a,b=c.arc', offset: 17, atMs: undefined },
  ],
  ['of a file whose name ends in a number', 'duplicate:"a,12,17"', { filename: 'a,12', offset: 17, atMs: undefined }],
  ['with an impossible date', `duplicate:"${filename},17,20081330000000"`, { filename, offset: 17, atMs: undefined }],
  ['with no more than a word', 'duplicate:"ORIGIN",3t', undefined],
  ['without an offset', `duplicate:"${filename},x"`, undefined],
  ["of Heritrix's own deduplication", 'duplicate:digest,warcRevisit:digest', undefined],
  ['that names nothing', 'duplicate', undefined],
  ['no duplicate annotation', '3t,content-size:1', undefined],
]

test.each(origins)('an annotation %s', (_, annotations, origin) => {
  expect(duplicateOriginIn(annotations)).toEqual(origin)
})

test('reads a line of NetarchiveSuite', () => {
  const text =
    '2009-05-25T13:00:00.992Z   200       9717 https://wiki.example/draft.png LLEE https://wiki.example/screen.css image/png #016 20090525130000915+76 sha1:AXH2IFNXC4MUT26SRHRJZHGR3FDAJDNR - duplicate:"1-1-20090513141823-00008.arc,22962264",content-size:9969'
  const { line } = parseCrawlLogLine(text)
  expect(line).toMatchObject({ mediaType: 'image/png', status: 200, contentBytes: 9717 })
  expect(line?.payloadDigest).toBe('sha1:AXH2IFNXC4MUT26SRHRJZHGR3FDAJDNR')
  expect(duplicateOriginIn(line?.annotations ?? '')).toMatchObject({ offset: 22_962_264 })
})

test('the original of a URL-agnostic duplicate belongs to the other URL', () => {
  const annotations = 'equivalentURL:"http://a.example/?x=1,2",duplicate:"a.arc,3"'
  expect(equivalentUrlIn(annotations)).toBe('http://a.example/?x=1,2')
  expect(duplicateOriginIn(annotations)).toMatchObject({ filename: 'a.arc', offset: 3 })
  expect(equivalentUrlIn('duplicate:"a.arc,3"')).toBeUndefined()
})

test.each([
  [
    'a.arc 496812 393343 1282069269000',
    { from: { filename: 'a.arc', offset: 496_812 }, to: { filename: 'a.arc.gz', offset: 393_343 } },
  ],
  ['a.arc 5 6', { from: { filename: 'a.arc', offset: 5 }, to: { filename: 'a.arc.gz', offset: 6 } }],
  ['a.arc 5', undefined],
  ['a.arc x 6 7', undefined],
  ['', undefined],
])('position of a record after its file was rewritten: %s', (line, expected) => {
  expect(migratedPlaceIn(line)).toEqual(expected)
})

test('any name, offset and date are read back, and any other text gives a position or nothing', () => {
  const name = fc.stringMatching(/^[!#-~][!-~]{0,40}\.arc$/).filter((text) => !text.includes('"'))
  fc.assert(
    fc.property(name, fc.nat(), fc.option(fc.integer({ min: 0, max: Date.UTC(2100, 0) })), (file, offset, ms) => {
      const date = ms === null ? '' : `,${new Date(ms).toISOString().replace(/\D/g, '')}`
      const found = duplicateOriginIn(`2t,duplicate:"${file},${offset}${date}",content-size:5`)
      expect(found).toEqual({ filename: file, offset, atMs: ms ?? undefined })
    }),
  )
  fc.assert(
    fc.property(fc.string(), (text) => {
      const found = duplicateOriginIn(`duplicate:"${text}"`)
      expect(found === undefined || (found.filename !== '' && Number.isSafeInteger(found.offset))).toBe(true)
    }),
  )
})
