/** Measures the text index (`npm run bench:search [-- --sizes LIST --runs N --site NAME]`): writing real pages into it and searching in it,
 *  against a plain FTS5 table with the same text, and FlexSearch; and how often the best page of a query is among the first three. Prints
 *  tables, and ratios as JSON. The exit code is 1 when fewer than nine in ten are. */
import { existsSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import Database from 'better-sqlite3'
import FlexSearch from 'flexsearch'
import { textSearcher } from '../src-main/indexes/text/query/searchIndex.ts'
import { openTextStore } from '../src-main/indexes/text/store/textStore.ts'
import { textWriter } from '../src-main/indexes/text/store/textWriter.ts'
import { machineLine, percentileOf, printRatio, ratioOf, spreadOf } from './measure.ts'
import { Missing } from './realSite.ts'
import { repeated, sitePages, type ReadPage } from './searchPages.ts'
import { knownQueries } from './searchQueries.ts'

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '5000,50000' },
    runs: { type: 'string', default: '3' },
    site: { type: 'string', default: 'rust' },
  },
})
const batch = 500

/** Kinds of queries. Words are frequent, usual and rare ones of the documentation. */
const kinds: Readonly<Record<string, readonly string[]>> = {
  'one word': ['vector', 'iterator', 'hashmap', 'mutex', 'trait', 'unsafe', 'the', 'panic', 'slice', 'lifetime'],
  'two words': [
    'hash map',
    'the iterator',
    'thread spawn',
    'raw pointer',
    'impl trait',
    'borrow checker',
    'drop order',
  ],
  phrase: ['"hash map"', '"raw pointer"', '"in the"', '"trait object"', '"slice of"', '"borrow checker"'],
  prefix: ['iter*', 'vec*', 'alloc*', 'unsa*', 'deref*'],
}
const filtered = kinds['one word']?.map((query) => `${query} host:example status:200 after:2020`) ?? []

/** A plain table with the columns of the index, and what it is asked. */
function plainTable(path: string) {
  const database = new Database(path)
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = NORMAL')
  database.exec('CREATE VIRTUAL TABLE words USING fts5 (title, headings, description, text)')
  const insert = database.prepare('INSERT INTO words (title, headings, description, text) VALUES (?, ?, ?, ?)')
  const ranked = database.prepare(
    'SELECT rowid FROM words WHERE words MATCH ? ORDER BY bm25(words, 8, 4, 2, 1) LIMIT 20',
  )
  const whole = database.prepare(
    `SELECT title, snippet(words, -1, '[', ']', '…', 30) FROM words WHERE words MATCH ? ORDER BY bm25(words, 8, 4, 2, 1) LIMIT 20`,
  )
  const write = database.transaction((pages: readonly ReadPage[]) => {
    for (const { text } of pages) insert.run(text.title, text.headings.join('\n'), text.description, text.text)
  })
  return {
    ...{ write, close: () => database.close() },
    search: (query: string) => ranked.all(query),
    searchWhole: (query: string) => whole.all(query),
  }
}

/** The text index, as the destination of a plan writes it. */
function textIndex(path: string) {
  const store = openTextStore(path)
  const writer = textWriter(store)
  const searcher = textSearcher(store)
  const search = (query: string, withFacets: boolean) => {
    const found = searcher.search({ query, offset: 0, limit: 20, withFacets })
    if ('fault' in found) throw new Error(JSON.stringify(found.fault))
    return found
  }
  return { write: (pages: readonly ReadPage[]) => writer.write(pages), search, close: () => store.close() }
}

function secondsOf(act: () => unknown): number {
  const begunMs = performance.now()
  act()
  return (performance.now() - begunMs) / 1_000
}

function fill(pages: readonly ReadPage[], { write }: { write(pages: readonly ReadPage[]): void }): number {
  return secondsOf(() => {
    for (let at = 0; at < pages.length; at += batch) write(pages.slice(at, at + batch))
  })
}

function bytesAt(path: string): number {
  return [path, `${path}-wal`].reduce((sum, each) => sum + (existsSync(each) ? statSync(each).size : 0), 0)
}

/** Milliseconds of each query, asked three times after once. */
function times(queries: readonly string[], search: (query: string) => unknown): number[] {
  for (const query of queries) search(query)
  return [1, 2, 3].flatMap(() => queries.map((query) => 1_000 * secondsOf(() => search(query))))
}

const number = (value: number) =>
  value.toLocaleString('en-US', { maximumFractionDigits: value < 10 ? 2 : value < 100 ? 1 : 0 })
const both = (spread: readonly number[]) => `${number(percentileOf(spread, 50))} / ${number(percentileOf(spread, 99))}`

async function measureSize(folder: string, pages: readonly ReadPage[], runs: number): Promise<void> {
  const characters = pages.reduce((sum, { text }) => sum + text.text.length, 0)
  const rates = { plain: [] as number[], ours: [] as number[] }
  let [plain, ours] = [plainTable(':memory:'), textIndex(':memory:')]
  const paths = { plain: '', ours: '' }
  for (let run = 0; run < runs; run++) {
    plain.close()
    ours.close()
    for (const path of Object.values(paths))
      for (const end of ['', '-wal', '-shm']) if (path !== '') await rm(path + end, { force: true })
    Object.assign(paths, {
      plain: join(folder, `plain-${pages.length}-${run}.db`),
      ours: join(folder, `ours-${pages.length}-${run}.db`),
    })
    ;[plain, ours] = [plainTable(paths.plain), textIndex(paths.ours)]
    rates.plain.push(pages.length / fill(pages, plain))
    rates.ours.push(pages.length / fill(pages, ours))
  }
  console.log(`\n${number(pages.length)} pages, ${number(characters / 1e6)} MB of text\n`)
  console.log('| | plain FTS5 | text index |\n| --- | ---: | ---: |')
  console.log(`| pages/s | ${number(spreadOf(rates.plain).median)} | ${number(spreadOf(rates.ours).median)} |`)
  console.log(
    `| MB on the disk per MB of text | ${number(bytesAt(paths.plain) / characters)} | ${number(bytesAt(paths.ours) / characters)} |`,
  )
  console.log(
    '\n| query, p50 / p99 in ms | plain FTS5, ids | with titles and snippets | text index, the same | with facets |\n| --- | ---: | ---: | ---: | ---: |',
  )
  for (const [kind, queries] of Object.entries({ ...kinds, filter: filtered })) {
    const hasPeer = kind !== 'filter'
    const ids = hasPeer ? times(queries, plain.search) : []
    const peer = hasPeer ? times(queries, plain.searchWhole) : []
    const whole = times(queries, (query) => ours.search(query, false))
    const faceted = times(queries, (query) => ours.search(query, true))
    const shown = [ids, peer, whole, faceted].map((each) => (each.length === 0 ? '' : both(each)))
    console.log(`| ${[kind, ...shown].join(' | ')} |`)
    if (kind === 'one word')
      ratio(
        `ranked query p99, ${number(pages.length)} pages`,
        'ms',
        percentileOf(peer, 99),
        percentileOf(whole, 99),
        'lower',
      )
  }
  ratio(
    `writing ${number(pages.length)} pages`,
    'pages/s',
    spreadOf(rates.plain).median,
    spreadOf(rates.ours).median,
    'higher',
  )
  plain.close()
  ours.close()
}

function ratio(work: string, unit: string, theirs: number, ours: number, better: 'higher' | 'lower'): void {
  const goals = better === 'higher' ? { least: 0.7, aim: 0.9 } : { least: 1, aim: 2.5 }
  printRatio(ratioOf({ work, peer: 'plain FTS5', unit, theirs, ours, ...goals }, better))
}

/** FlexSearch holds its index in memory, so that it is measured up to this size only. */
const flexSearchPagesMax = 50_000

function measureFlexSearch(pages: readonly ReadPage[]): void {
  const index = new FlexSearch.Index({ tokenize: 'strict' })
  const seconds = secondsOf(() => pages.forEach(({ text }, at) => index.add(at, `${text.title}\n${text.text}`)))
  const queries = kinds['two words'] ?? []
  console.log(
    `\nFlexSearch (strict, in memory), ${number(pages.length)} pages: ${number(pages.length / seconds)} pages/s, two words ${both(times(queries, (query) => index.search(query, { limit: 20 })))} ms, unranked`,
  )
}

/** Prints the queries whose best page is not among the first three. Returns the share of the others. */
function measureRelevance(pages: readonly ReadPage[]): number {
  const index = textIndex(':memory:')
  fill(pages, index)
  const ranks = knownQueries.map(([query, page]) => {
    const urls = index.search(query, false).results.map(({ url }) => url)
    const rank = urls.findIndex((url) => url.endsWith(`/${page}`) || url.endsWith(page)) + 1
    if (rank === 0 || rank > 3)
      console.log(`  ${query}: ${page} is ${rank === 0 ? 'not among 20' : `number ${rank}`}; first is ${urls[0]}`)
    return rank
  })
  const among = (most: number) => ranks.filter((rank) => rank > 0 && rank <= most).length / ranks.length
  console.log(
    `\n${ranks.length} queries: best page first ${number(100 * among(1))} %, among three ${number(100 * among(3))} %, among ten ${number(100 * among(10))} %`,
  )
  index.close()
  return among(3)
}

async function main(): Promise<void> {
  console.log(machineLine())
  const { pages, htmlBytes, seconds } = await sitePages(values.site)
  console.log(
    `extraction, one thread: ${number(pages.length)} pages with text, ${number(htmlBytes / 1e6 / seconds)} MB of HTML/s`,
  )
  const share = values.site === 'rust' ? measureRelevance(pages) : 1
  const folder = await mkdtemp(join(tmpdir(), 'loupe-bench-'))
  try {
    const sizes = values.sizes
      .split(',')
      .filter((size) => size !== '')
      .map(Number)
    for (const size of sizes) await measureSize(folder, repeated(pages, size), Number(values.runs))
    for (const size of sizes) if (size <= flexSearchPagesMax) measureFlexSearch(repeated(pages, size))
  } finally {
    await rm(folder, { recursive: true })
  }
  if (share < 0.9) process.exitCode = 1
}

try {
  await main()
} catch (error) {
  if (!(error instanceof Missing)) throw error
  console.error(error.message)
  process.exitCode = 1
}
