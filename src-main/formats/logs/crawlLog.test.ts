import fc from 'fast-check'
import { textOf } from '../../contract/words/render.ts'
import { describe, expect, test } from 'vitest'
import { reasonMessage } from '../../contract/states/outcomes.ts'
import { parseCrawlLogLine, type CrawlLogLine } from './crawlLog.ts'
import { outcomeOfLine } from './fetchStatus.ts'

const page = 'http://www.museum.example/art?a=1'
const via = 'http://www.museum.example/'
const digest = 'sha1:YIUOKDGOLGI5JYHDTXRFFQ5FF4N2EJRV'
const loggedMs = Date.UTC(2011, 5, 23, 17, 12, 8, 802)
const beganMs = Date.UTC(2011, 5, 23, 17, 12, 8, 546)
const whole: CrawlLogLine = {
  ...{ loggedMs, status: 200, contentBytes: 15829, url: page, hopPath: 'LE', via, mediaType: 'text/html' },
  ...{ beganMs, durationMs: 922, payloadDigest: digest, source: undefined, annotations: '3t' },
}
const unfetched = {
  contentBytes: undefined,
  mediaType: '',
  beganMs: undefined,
  durationMs: undefined,
  payloadDigest: '',
}

const lines: [string, string, Partial<CrawlLogLine>][] = [
  [
    'Heritrix 3',
    `2011-06-23T17:12:08.802Z   200      15829 ${page} LE ${via} text/html #025 20110623171208546+922 ${digest} - 3t`,
    {},
  ],
  [
    'Heritrix 3: source, truncated hop path, JSON object at the end',
    `2011-06-23T17:12:08.802Z   200 1 ${page} 50+LE ${via} text/html #025 20110623171208546+922 ${digest} http://seed.example/ 3t {"a":"b c"}`,
    { contentBytes: 1, hopPath: '50+LE', source: 'http://seed.example/' },
  ],
  [
    'Heritrix 3 without annotations but a JSON object',
    `2011-06-23T17:12:08.802Z 200 1 ${page} LE ${via} text/html #025 20110623171208546+922 ${digest} - {"a":"b"}`,
    { contentBytes: 1, annotations: '' },
  ],
  [
    'Heritrix 1: 17-digit time, nothing after the source',
    `20110623171208802   200      15829 ${page} LE ${via} text/html #025 20110623171208546+922 ${digest} http://seed.example/ `,
    { source: 'http://seed.example/', annotations: '' },
  ],
  [
    'Heritrix 1 before 1.8, without a source',
    `20110623171208802 200 15829 ${page} LE ${via} text/html #025 20110623171208546+922 ${digest.slice(5)} 3t`,
    {},
  ],
  [
    'a seed that was not fetched',
    `2011-06-23T17:12:08.802Z -9998          - ${page} - - unknown #012 - - - `,
    { ...unfetched, status: -9998, hopPath: '', via: undefined, annotations: '' },
  ],
  [
    'our own harvest',
    `- ${'0'.padStart(5)} ${'-'.padStart(10)} ${page} LE ${via} - - - - - excluded:robots:line_3:_Disallow:_/art`,
    { ...unfetched, loggedMs: undefined, status: 0, annotations: 'excluded:robots:line_3:_Disallow:_/art' },
  ],
  [
    'a line that is complete up to its URL',
    `20110623171208802 200 1 ${page}`,
    { ...unfetched, contentBytes: 1, hopPath: '', via: undefined, annotations: '' },
  ],
]

test.each(lines)('a line of %s', (_, text, otherwise) => {
  expect(parseCrawlLogLine(text)).toEqual({ line: { ...whole, ...otherwise }, findings: [] })
  expect(parseCrawlLogLine(`${text}\r`)).toEqual(parseCrawlLogLine(text))
})

const strange: [string, string, string[], boolean][] = [
  ['nothing', '', ['crawlLogLineInvalid'], false],
  ['a head of columns', '#Fields: date status size url', ['crawlLogLineInvalid'], false],
  ['no number for a status', `20110623171208802 ok 1 ${page}`, ['crawlLogLineInvalid'], false],
  ['no address', '20110623171208802 200 1 museum', ['crawlLogLineInvalid'], false],
  ['an impossible date', `2011-02-31T17:12:08Z 200 1 ${page}`, ['crawlLogDateInvalid'], true],
]

test.each(strange)('a line with %s', (_, text, expected, isRead) => {
  const { line, findings } = parseCrawlLogLine(text)
  expect(findings.map(({ rule }) => rule)).toEqual(expected)
  expect(line !== undefined).toBe(isRead)
})

test('any values in these columns are read back, and any other text gives a value or a finding', () => {
  const word = fc.stringMatching(/^[!-z]{1,20}$/)
  const columns = fc.record({
    loggedMs: fc.integer({ min: 0, max: Date.UTC(2100, 0) }),
    status: fc.integer({ min: -9999, max: 999 }),
    path: word,
    hopPath: fc.stringMatching(/^[LEXRPI]{1,9}$/),
    annotations: fc.stringMatching(/^[a-zQ][\w:,"]{0,20}$/),
    blanks: fc.constantFrom(' ', '  ', '\t'),
  })
  fc.assert(
    fc.property(columns, ({ path, blanks, ...expected }) => {
      const [url, logged] = [`http://a.example/${path}`, new Date(expected.loggedMs).toISOString()]
      const behind = ['text/html', '#001', '-', digest, '-', expected.annotations]
      const text = [logged, expected.status, '-', url, expected.hopPath, via, ...behind].join(blanks)
      expect(parseCrawlLogLine(text)).toEqual({
        line: { ...whole, contentBytes: undefined, beganMs: undefined, durationMs: undefined, ...expected, url },
        findings: [],
      })
    }),
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.array(word).map((words) => words.join(' ')),
      ),
      (text) => {
        const { line, findings } = parseCrawlLogLine(text)
        expect(line !== undefined || findings.length === 1).toBe(true)
      },
    ),
  )
})

describe('outcome of a URL', () => {
  const fates: [number, string, string, string][] = [
    [200, '', 'fetched', 'the server answered 200'],
    [404, '2t', 'fetched', 'the server answered 404'],
    [
      200,
      'duplicate:"1-2-a.arc,31,20080430204830",content-size:12',
      'fetched',
      'the server answered 200; the content had not changed and was not stored again: it is the record at 31 of 1-2-a.arc',
    ],
    [302, 'unwritten:status', 'fetched', 'the server answered 302; the response was not stored'],
    [-1, '', 'failed', 'host name not found'],
    [-4, 'le:SocketTimeoutException@HTTP', 'failed', 'server timed out'],
    [-5003, '', 'excluded', 'quota used up'],
    [-5003, 'Q:groupMaxAllKb', 'excluded', 'quota of its queue used up: bytes, groupMaxAllKb'],
    [
      -5003,
      '1t,Q:group-max-fetch-successes',
      'excluded',
      'quota of its queue used up: URLs, group-max-fetch-successes',
    ],
    [-5003, 'Q:serverMaxFetchResponses', 'excluded', 'quota of its server used up: responses, serverMaxFetchResponses'],
    [-5003, 'sourceQuota:novelKb', 'excluded', 'quota of its seed used up: bytes, novelKb'],
    [-9998, '', 'excluded', 'disallowed by robots.txt'],
    [-1234, '', 'failed', 'for a reason that is known only to its crawler'],
    [
      0,
      'excluded:robots:line_3:_Disallow:_/art',
      'excluded',
      `${textOf(reasonMessage('robots'))}: line 3: Disallow: /art`,
    ],
    [0, 'failed:unknownHost', 'failed', textOf(reasonMessage('unknownHost'))],
    [0, 'failed:toString', 'excluded', 'never tried, as with URLs of schemes that are not fetched'],
  ]
  test.each(fates)('%i with the annotations "%s" is %s', (status, annotations, outcome, text) => {
    const fate = outcomeOfLine({ status, annotations })
    expect([fate.outcome, textOf(fate.message)]).toEqual([outcome, text])
  })
})
