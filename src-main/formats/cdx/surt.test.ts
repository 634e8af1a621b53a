import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { canonicalUrl, surt } from './surt.ts'

const tables = new URL('../../../../shared/corpora/tables/', import.meta.url)
function cases(name: string): { url: string; surt?: string; canonical?: string }[] {
  const table = JSON.parse(readFileSync(new URL(name, tables), 'utf8')) as { cases: ReturnType<typeof cases> }
  return table.cases
}

test('keys', () => {
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

test.skipIf(!existsSync(tables))('keys agree with jwarc and warcio.js (needs ../shared)', () => {
  for (const { url, surt: key } of [...cases('surt_jwarc.json'), ...cases('surt_warciojs.json')])
    expect(surt(url), url).toBe(key)
})

/** Where outbackcdx goes its own way; ours is the surt library's, which wrote most existing indexes. */
const outbackcdxDiffers: Record<string, string> = {
  'http://intersector.wa.gov.au/current_issue?CFID=2051199&CFTOKEN=697395b12ed216e1-F6DFAF77-D433-FA57-5582BC6000844470&jsessionid=92303280691120833351543':
    'a jsessionid counts only with its 32 digits; jwarc has the same case',
  'http://jobsearch.gov.au/JobDetails/JobDetails.aspx?st=11&WHCode=0&TextOnly=0&rgn=&Occ=7991&BroadLoc=0&SessionID=uqft0ovnt3tq4rrygdt5z145&CommJobs=0&CurPage=4&TotalRec=195&JobPos=65&JobID=107556635&SortDir=1&SortField=3&':
    'sessionid is no name of a session for surt, and an empty argument stays',
  'http://À.com/À': 'lower case is made of ASCII only, after escaping',
  'http://pandora.nla.gov.au/pan/10075/20150801-0000/www.nlc.org.au/assets/CSS/style62ea.css?ver=1.2':
    'a rule for one collection of the National Library of Australia',
  'urn:transclusions:http://web.acma.gov.au/apservices/action/challenge?method=viewChallenge':
    'an alias of one tool; URNs are their own keys, as in jwarc',
}

test.skipIf(!existsSync(tables))('keys agree with outbackcdx but for what is listed (needs ../shared)', () => {
  const different = cases('canon_outbackcdx.json').filter(
    (row) => surt(row.url) !== (row.surt ?? keyOf(row.canonical ?? '')),
  )
  expect(different.map(({ url }) => url)).toEqual(Object.keys(outbackcdxDiffers))
})

/** The canonical URL has all done but the order of the labels. */
function keyOf(canonical: string): string {
  const [, host = '', port = '', rest = ''] = /^https?:\/\/([^/:]*)(:\d+)?(\/.*)$/.exec(canonical) ?? []
  return `${host.split('.').reverse().join(',')}${port})${rest}`
}

test('identities', () => {
  const check = (url: string, identity: string | undefined) => expect(canonicalUrl(url), url).toBe(identity)
  check('HTTP://EXAMPLE.com:80/a/../b?c#d', 'http://example.com/b?c')
  check('http://example.com', 'http://example.com/')
  check('http://example.com/#', 'http://example.com/')
  check('https://example.com:8443/%7Ea', 'https://example.com:8443/%7Ea')
  check('/relative', undefined)
  check('http://', undefined)
})
