/** `loupe search` from the command line: in the text of a harvest, and among its URLs. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { loupeHere, startLoupe } from '../loupeProcess.ts'
import { witnessFile } from '../witness.ts'
import { captured } from '../sites/twoHosts.ts'
import { harvestedMuseum, type Harvested } from './harvested.ts'

let museum: Harvested
beforeAll(async () => {
  museum = await harvestedMuseum()
})
afterAll(() => museum.close())

const search = (...words: string[]) => loupeHere('--archive', museum.archive, 'search', ...words)
const urlsShape = z.object({
  urls: z.array(z.object({ url: z.string(), captures: z.number(), first: z.string(), last: z.string() })),
  next: z.string().nullable(),
})

async function urlsOf(...words: string[]) {
  const { code, stdout } = await search('--json', ...words)
  expect(code).toBe(0)
  return urlsShape.parse(JSON.parse(stdout))
}

test('every captured URL is listed, page by page', async () => {
  const found: string[] = []
  for (let after: string[] = []; ;) {
    const { urls, next } = await urlsOf('--url', '*', '--match', 'pattern', '--limit', '20', ...after)
    found.push(...urls.map(({ url }) => url))
    if (next === null) break
    after = ['--after', next]
  }
  expect(found.toSorted()).toEqual(captured)
})

test.each<[what: string, words: string[], expected: string[]]>([
  ['a URL', ['--url', 'museum.test/news.html', '--match', 'exact'], ['http://museum.test/news.html']],
  [
    'what begins so',
    ['--url', 'museum.test/news'],
    ['http://museum.test/news.html', 'http://museum.test/news.html?page=2', 'http://museum.test/news.rss'],
  ],
  ['a pattern', ['--url', '*.test/style/p*', '--match', 'pattern'], ['https://media.test/style/print.css']],
  ['a job', ['--url', 'media.test/plan', '--jobs', '1'], ['https://media.test/plan.html']],
])('%s is found', async (_, words, expected) => {
  const { urls } = await urlsOf(...words)
  expect(urls.map(({ url }) => url)).toEqual(expected)
  for (const { captures, first, last } of urls) expect([captures, first]).toEqual([1, last])
})

test('without --json it is a table, and a note says how to go on', async () => {
  const { code, stdout, stderr } = await search('--url', 'museum.test', '--match', 'host', '--limit', '1')
  expect(code).toBe(0)
  expect(stdout).toMatch(/^URL +captures +first captured +last captured +status/)
  expect(stdout).toContain('http://museum.test/ ')
  expect(stderr).toContain('--after "test,museum)/"')
})

test('words and a URL at once are refused, as is a job that is not there', async () => {
  expect((await search('museum', '--url', 'museum.test')).code).toBe(2)
  expect((await search('--url', 'museum.test', '--jobs', '7')).code).toBe(3)
})

test('a text is found after its job was added', async () => {
  expect((await search('build', '--jobs', '1')).code).toBe(0)
  const { stdout } = await search('sitemap alone')
  expect(stdout).toContain('http://museum.test/restoration.html')
})

test('the matches are exported with what their pages need', async () => {
  const path = join(museum.folder, 'matches.warc.gz')
  const { code, stdout, stderr } = await search('--json', 'sitemap alone', '--export', path)
  expect(code, stderr).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ path, format: 'warc', complete: true })
  const urls = (await witnessFile(path)).filter(({ type }) => type === 'response').map(({ url }) => url)
  expect(urls).toContain('http://museum.test/restoration.html')
  expect(urls).toContain('https://media.test/style/main.css')
  expect(urls).not.toContain('http://museum.test/news.html')
  const ofUrls = join(museum.folder, 'urls.wacz')
  const started = await search('--url', 'museum.test/news', '--jobs', '1', '--export', ofUrls)
  expect(started.code, started.stderr).toBe(0)
  expect(started.stdout).toMatch(/3 captures match; \d+ more are needed/)
})

test.each<[what: string, words: string[], problem: RegExp]>([
  ['a file that is neither', ['museum', '--export', 'matches.zip'], /ends in \.wacz or \.warc\.gz/],
  ['no query', ['--export', 'none.wacz'], /at least one word/],
])('an export of matches refuses %s', async (_, words, problem) => {
  const { code, stderr } = await search(...words)
  expect(code).toBe(2)
  expect(stderr).toMatch(problem)
})

test('an export of matches says that nothing matches, and writes no file', async () => {
  const path = join(museum.folder, 'nothing.wacz')
  const { code, stderr } = await search('nosuchword', '--export', path)
  expect(code).toBe(3)
  expect(stderr).toContain('nothing in the archive matches')
  expect(existsSync(path)).toBe(false)
})

test('the documents of a deleted job leave', async () => {
  const total = async () => {
    const { stdout } = await search('--json', 'museum')
    return z.object({ total: z.number() }).parse(JSON.parse(stdout)).total
  }
  expect(await total()).toBeGreaterThan(0)
  const { code, stderr } = await loupeHere('--archive', museum.archive, 'job', 'delete', '1', '--yes')
  expect(code, stderr).toBe(0)
  // An engine that runs deletes it.
  const serving = startLoupe(['--archive', museum.archive, 'serve', '--port', '0'])
  await serving.line(/http:/)
  await expect.poll(total).toBe(0)
  expect((await search('list')).stdout).toMatch(/^The text index is empty/)
  serving.child.kill('SIGKILL')
  await serving.ended
})
