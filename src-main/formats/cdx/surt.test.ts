import { existsSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalUrl, surt } from './surt.ts'
import { corpora } from '../testing/corpora.ts'

const tables = new URL('tables/', corpora)
function cases(name: string): { url: string; surt?: string; canonical?: string }[] {
  const table = JSON.parse(readFileSync(new URL(name, tables), 'utf8')) as { cases: ReturnType<typeof cases> }
  return table.cases
}

test('keys of example URLs', () => {
  const check = (url: string, key: string) => expect(surt(url), url).toBe(key)
  check('http://example.com/', 'com,example)/')
  check('https://WWW.Example.COM:443/A/?b=2&a=1#frag', 'com,example)/a?a=1&b=2')
  check('http://www65.example.com/', 'com,example)/')
  check('http://user:secret@example.com/', 'com,example)/')
  check('https://example.com:80/', 'com,example:80)/')
  check('http://example.com/?c1=x&c=y', 'com,example)/?c=y&c1=x')
  check('http://example.com/a?x=1&PHPSESSID=0123456789abcdefghijklemopqrstuv', 'com,example)/a?x=1')
  check('http://bücher.example/ä', 'example,xn--bcher-kva)/%c3%a4')
  check('http://example.com/%E4', 'com,example)/%e4')
  check('http://example.com/a//b///c/', 'com,example)/a/b/c')
  check('metadata://gnu.org/software/wget/warc/MANIFEST.txt', 'org,gnu)/software/wget/warc/manifest.txt')
  check('mailto:a@example.com', 'mailto:a@example.com')
  check('no url at all', 'no%20url%20at%20all)/')
})

test('the fast path for plain URLs gives the same key as the general one', () => {
  const label = fc.oneof(
    fc.constantFrom('www', 'www2', 'com', '1', 'a-b', 'A', ''),
    fc.stringMatching(/^[a-z0-9-]{1,3}$/),
  )
  const segment = fc.oneof(
    fc.constantFrom('', '.', '..', 'a..b', '.a', '%41', 'A', 'x;jsessionid=3E544261B39C3B399E1C6BB38D6888E6', '(a)'),
    fc.string({ maxLength: 4 }),
  )
  const argument = fc.oneof(
    fc.constantFrom(
      'a',
      'a=',
      'A=b',
      '',
      '=',
      'a1=x',
      'sid=0123456789abcdefghijklemopqrstuv',
      'cfid=1&cftoken=2',
      'jsessionid=3E544261B39C3B399E1C6BB38D6888E6',
    ),
    fc.string({ maxLength: 4 }),
  )
  const url = fc
    .record({
      scheme: fc.constantFrom('http', 'https'),
      host: fc.array(label, { minLength: 1, maxLength: 4 }),
      port: fc.constantFrom('', '', ':80', ':8080'),
      path: fc.array(segment, { maxLength: 4 }),
      query: fc.option(fc.array(argument, { maxLength: 4 })),
    })
    .map(({ scheme, host, port, path, query }) => {
      const behind = query === null ? '' : `?${query.join('&')}`
      return `${scheme}://${host.join('.')}${port}${path.map((each) => `/${each}`).join('')}${behind}`
    })
    .filter((text) => !/[#\s]/.test(text))
  fc.assert(
    // An address with a fragment goes the long way, and its key is the same.
    fc.property(url, (text) => {
      expect(surt(text), text).toBe(surt(`${text}#fragment`))
    }),
    { numRuns: 3000 },
  )
})

test('a key is printable ASCII without spaces for any input', () => {
  const parts = fc.constantFrom(
    'http://',
    'urn:',
    'filedesc',
    'dns:',
    '://',
    '/',
    '?',
    '#',
    '[',
    ' ',
    '\n',
    '\u00a0',
    '\u2028',
  )
  const text = fc.array(fc.oneof(parts, fc.string({ unit: 'binary', maxLength: 5 }))).map((all) => all.join(''))
  fc.assert(
    fc.property(text, (url) => {
      expect(surt(url)).toMatch(/^[!-~]*$/)
    }),
  )
})

test('a URL of a million characters takes linear time', () => {
  const many = (text: string) => text.repeat(Math.ceil(1_000_000 / text.length))
  const check = (url: string) => expect(surt(url).length).toBeGreaterThan(0)
  check(`http://a.b/x${many(' ')}y`)
  check(`http://a.b/%${many('25')}41`)
  check(`http://a.b/?${many('cfid=')}`)
  check(`http://a.b/?${many('cfid=&cftoken=')}`)
  check(`http://a.b/.aspx${many('/(dhj3bi55ekqndn3mjb5myu45)')}`)
  check(`http://${many('a.')}b/`)
  check(`http://${many('a:1')}/`)
  check(`http://a.b/${many('../')}`)
  check(many('view:'))
  check(`http://a.b/?${many('b&')}`)
})

test.skipIf(!existsSync(tables))(
  'keys agree with jwarc and warcio.js (skipped without the tables of expected results)',
  () => {
    for (const { url, surt: key } of [...cases('surt_jwarc.json'), ...cases('surt_warciojs.json')])
      expect(surt(url), url).toBe(key)
  },
)

/** Cases in which outbackcdx differs; we follow the surt library, which wrote most existing indexes. */
const outbackcdxDiffers: Record<string, string> = {
  'http://intersector.wa.gov.au/current_issue?CFID=2051199&CFTOKEN=697395b12ed216e1-F6DFAF77-D433-FA57-5582BC6000844470&jsessionid=92303280691120833351543':
    'a jsessionid counts only with its 32 digits; jwarc has the same case',
  'http://jobsearch.gov.au/JobDetails/JobDetails.aspx?st=11&WHCode=0&TextOnly=0&rgn=&Occ=7991&BroadLoc=0&SessionID=uqft0ovnt3tq4rrygdt5z145&CommJobs=0&CurPage=4&TotalRec=195&JobPos=65&JobID=107556635&SortDir=1&SortField=3&':
    'surt does not remove sessionid and keeps an empty argument',
  'http://À.com/À': 'lower case is made of ASCII only, after escaping',
  'http://pandora.nla.gov.au/pan/10075/20150801-0000/www.nlc.org.au/assets/CSS/style62ea.css?ver=1.2':
    'a rule for one collection of the National Library of Australia',
  'urn:transclusions:http://web.acma.gov.au/apservices/action/challenge?method=viewChallenge':
    'an alias of one tool; URNs are their own keys, as in jwarc',
}

test.skipIf(!existsSync(tables))(
  'keys agree with outbackcdx except for the listed cases (skipped without the tables of expected results)',
  () => {
    const different = cases('canon_outbackcdx.json').filter(
      (row) => surt(row.url) !== (row.surt ?? keyOf(row.canonical ?? '')),
    )
    expect(different.map(({ url }) => url)).toEqual(Object.keys(outbackcdxDiffers))
  },
)

/** The canonical URL has all done but the order of the labels. */
function keyOf(canonical: string): string {
  const [, host = '', port = '', rest = ''] = /^https?:\/\/([^/:]*)(:\d+)?(\/.*)$/.exec(canonical) ?? []
  return `${host.split('.').reverse().join(',')}${port})${rest}`
}

test('URLs with equal keys', () => {
  const check = (url: string, identity: string | undefined) => expect(canonicalUrl(url), url).toBe(identity)
  check('HTTP://EXAMPLE.com:80/a/../b?c#d', 'http://example.com/b?c')
  check('http://example.com', 'http://example.com/')
  check('http://example.com/#', 'http://example.com/')
  check('https://example.com:8443/%7Ea', 'https://example.com:8443/%7Ea')
  check('/relative', undefined)
  check('http://', undefined)
})

const urlcanon = new URL('../iipc+urlcanon/testdata/', tables)
function urlcanonTable<Table>(name: string): Table {
  return JSON.parse(readFileSync(new URL(name, urlcanon), 'utf8')) as Table
}

/** Cases in which urlcanon's "aggressive" rules go further than surt's. */
const aggressiveDiffers: Record<string, string> = {
  'http://example.com/?a=1&CFID=3304324&CFTOKEN=57491900&jsessionid=a63098d96360$B0$D9$A&foo=bar':
    'a jsessionid counts only with its 32 digits',
  'http://example.com/foo?&': 'an empty argument stays',
  'http://example.com/foo?&&a=1&&&&b=2&c=3&': 'empty arguments stay, sorted before all others',
  'http://example.com/foo?c=5&&a=1&B=3&A=2&b=4&C=6&': 'empty arguments stay, sorted before all others',
}

test.skipIf(!existsSync(urlcanon))(
  "keys agree with urlcanon's aggressive rules but for what is listed (skipped without the tables of expected results)",
  () => {
    const table = urlcanonTable<Record<string, string>>('aggressive.json')
    const different = Object.entries(table).filter(([url, canonical]) => surt(url) !== keyOf(canonical))
    expect(different.map(([url]) => url)).toEqual(Object.keys(aggressiveDiffers))
  },
)

/** Numbers in hexadecimal, and of fewer than four parts, are names to surt: only a single decimal number is an address. */
const addressesDiffer = [
  ...['0.0', '0.0.0', '0x0', '0.0.65535', '0.16777215', '000000000000000000000000000000000', '1.1', '1.1.1', '1.0'],
  ...['0xa', '0xa.0xb', '1.0xffffff', '0.0.', '0.0.0.', '0xff', '0xff.0', '0xff.00', '07777777777', '0xa.07.9999'],
  ...['1.256', '0.1.256', '0.1.255', '192.0x00A80001'],
]

test.skipIf(!existsSync(urlcanon))(
  'numbers for hosts agree with urlcanon except for the listed cases (skipped without the tables of expected results)',
  () => {
    const table = urlcanonTable<Record<string, string | null>>('funky_ipv4.json')
    const different = Object.entries(table).filter(
      ([host, address]) => address !== null && surt(`http://${host}/`) !== surt(`http://${address}/`),
    )
    expect(different.map(([host]) => host)).toEqual(addressesDiffer)
  },
)

test.skipIf(!existsSync(urlcanon))(
  'canonicalisation is idempotent (skipped without the tables of expected results)',
  () => {
    const table = urlcanonTable<string[]>('idempotence.json')
    expect(table.length).toBeGreaterThan(30)
    for (const url of table) {
      const identity = canonicalUrl(url)
      if (identity !== undefined) expect(canonicalUrl(identity), url).toBe(identity)
      expect(surt(url), url).toMatch(/^[!-~]*$/)
    }
  },
)

test('an adversarial host name is reversed in linear time', () => {
  expect(surt(`http://a${'.a-'.repeat(1000)}_`)).toBe(`a-_${',a-'.repeat(999)},a)/`)
  expect(surt('http://1a.2-b.c3/')).toBe('c3,2-b,1a)/')
})
