/** `loupe search build` is killed with kill -9 at different moments: the next build continues and repeats nothing, and the index is the one of a
 *  build that was not disturbed. An engine that starts finishes by itself what a kill left. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { newRecord, warcMember } from '../src-main/formats/records/warcWriter.ts'
import { textSchema } from '../src-main/indexes/text/store/textIndex.sql.ts'
import { openDerived, type Store } from '../src-main/storage/storage.ts'
import { sampleSeed } from '../src-main/world/testing/sample.ts'
import { initArchive, loupeHere, startLoupe } from './loupeProcess.ts'

const jobs = [1, 2]
const documentsOfJob = 4_000
/** Captures in the index at which the build is killed: after the first transaction, then later ones. */
const killsAt = [1, 500 + (sampleSeed % 2_000), documentsOfJob, 2 * documentsOfJob - 1_000]

let folder: string
let archive: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loupe-text-kill-'))
  archive = await initArchive(join(folder, 'archive'))
  for (const job of jobs) {
    const path = join(folder, `${job}.warc.gz`)
    await writeFile(path, fileOf(job))
    expect((await loupeHere('--archive', archive, 'import', path)).code).toBe(0)
  }
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Pages with a word of their own and words of several; every tenth has the content of the page before, in every job. */
function fileOf(job: number): Buffer {
  return Buffer.concat(
    Array.from({ length: documentsOfJob }, (_, number) => {
      const text = number - (number % 10 === 9 ? 1 : 0)
      const html = `<title>Page ${text}</title><p>own${text} tenth${text % 10} ${'filler '.repeat(40)}`
      const block = Buffer.from(`HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n${html}`)
      const record = newRecord({
        ...{ type: 'response', id: `00000000-0000-4000-8000-${String(job * 1e6 + number).padStart(12, '0')}` },
        ...{ dateMs: Date.UTC(2024, 0, job), contentType: 'application/http;msgtype=response' },
        fields: [['WARC-Target-URI', `http://a.example/${job}/${number}`]],
        payload: { offset: block.indexOf('<title>') },
        block: [block],
      })
      return warcMember(record, 1).bytes
    }),
  )
}

const indexPath = () => join(archive, 'indexes/text/text-1.db')

/** Everything in the index, without numbers that depend on its history. */
function contentOfIndex(): unknown {
  const store = openDerived(indexPath(), textSchema)
  try {
    const rows = (sql: string) => store.statement<object, object>(sql).all({})
    return {
      captures: rows(
        `SELECT job, url, captured_ms, status, file, offset, content.key, title FROM capture JOIN content ON content.id = content_id
         ORDER BY url`,
      ),
      files: rows('SELECT job, is_complete FROM file ORDER BY name'),
      words: rows('SELECT term, doc, cnt FROM vocabulary ORDER BY term'),
    }
  } finally {
    store.close()
  }
}

const answerShape = z.object({
  total: z.number(),
  results: z.array(z.object({ url: z.string(), captures: z.number() })),
})

async function answers() {
  const found = []
  for (const query of ['own17', 'tenth3', 'filler -tenth4 url:/2/', '"page 3998"']) {
    const { code, stdout, stderr } = await loupeHere('--archive', archive, '--json', 'search', query, '--limit', '50')
    expect(code, stderr).toBe(0)
    found.push(answerShape.parse(JSON.parse(stdout)))
  }
  return found
}

async function build(): Promise<number> {
  const { code, stdout, stderr } = await loupeHere('--archive', archive, '--json', 'search', 'build', '--jobs', '1,2')
  expect(code, stderr).toBe(0)
  return z.object({ documents: z.number() }).parse(JSON.parse(stdout)).documents
}

/** Starts a build and kills it when the index has this many captures. */
async function buildUntil(captures: number): Promise<void> {
  const building = startLoupe(['--archive', archive, 'search', 'build', '--jobs', '1,2'])
  const store = openDerived(indexPath(), textSchema)
  try {
    await expect.poll(() => countIn(store), { interval: 2, timeout: 120_000 }).toBeGreaterThanOrEqual(captures)
    building.child.kill('SIGKILL')
    expect((await building.ended).code).toBe(null)
    expect(countIn(store)).toBeLessThan(jobs.length * documentsOfJob)
  } finally {
    store.close()
  }
}

function countIn(store: Store): number {
  return store.statement<object, { count: number }>('SELECT COUNT(*) AS count FROM capture').get({})?.count ?? 0
}

/** What an undisturbed build gives. */
let expected: { content: unknown; answers: unknown }

test('a build that is not disturbed has every document', async () => {
  expect(await build()).toBe(jobs.length * documentsOfJob)
  expected = { content: contentOfIndex(), answers: await answers() }
  expect(expected.answers).toMatchObject([
    { total: 1, results: [{ captures: 2 }] },
    { total: documentsOfJob / 10 },
    { total: (documentsOfJob * 8) / 10 },
    // The page and its copy, of both jobs.
    { total: 1, results: [{ captures: 4 }] },
  ])
})

test('builds that are killed lose nothing and repeat nothing', async () => {
  await rm(join(archive, 'indexes/text'), { recursive: true })
  await mkdir(join(archive, 'indexes/text'))
  for (const captures of killsAt) await buildUntil(captures)
  // The last build adds the remaining documents.
  expect(await build()).toBeLessThan(documentsOfJob)
  expect({ content: contentOfIndex(), answers: await answers() }).toEqual(expected)
  expect(await build()).toBe(0)
})

test('an engine finishes at its start what a kill has left', async () => {
  await rm(join(archive, 'indexes/text'), { recursive: true })
  await mkdir(join(archive, 'indexes/text'))
  await buildUntil(1_000)
  const serving = startLoupe(['--archive', archive, 'serve', '--port', '0'])
  await serving.line(/http:/)
  await expect.poll(contentOfIndex, { timeout: 120_000 }).toEqual(expected.content)
  serving.child.kill('SIGKILL')
  await serving.ended
  expect(await answers()).toEqual(expected.answers)
})
