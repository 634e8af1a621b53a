/** The crawl logs of imported jobs over a real archive: found in any file, read in a thread, and looked up by URL. */
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Indexes, UrlInLogs } from '../indexes.ts'
import type { ArchiveFixture, Row } from '../testing/archiveFixture.ts'
import { archiveWith, indexesOver } from '../testing/openedIndexes.ts'

const imported = (...jobs: number[]) => jobs.map((job) => ({ job, isDeleted: false }))
const at = '2011-06-24T00:00:00Z'
const a = 'http://a.example/'

function logLine(status: number, url: string, { second = 1, via = '-', annotations = '-' } = {}): string {
  const logged = `2011-06-23T17:12:${String(second).padStart(2, '0')}.000Z`
  return `${logged} ${String(status).padStart(5)}          - ${url} L ${via} unknown #012 - - - ${annotations}`
}

function logRow(lines: readonly string[], name = 'crawl.log', job = 7): Row {
  const url = `metadata://netarkivet.dk/crawl/logs/${name}?heritrixVersion=3.4.0&harvestid=3&jobid=${job}`
  return { url, at, type: 'resource', contentType: 'text/plain', block: Buffer.from(`${lines.join('\n')}\n`) }
}

async function said(indexes: Indexes, url: string, job = 1): Promise<UrlInLogs> {
  // A busy machine may take longer than a call waits.
  for (;;) {
    const logs = await indexes.crawlLogs(imported(job))
    const [answer] = await logs.lookUp(job, [url])
    logs.close()
    if (answer && answer.kind !== 'reading') return answer
  }
}

const statusOf = (answer: UrlInLogs) => (answer.kind === 'line' ? answer.line.status : answer.kind)
const folderOf = (made: ArchiveFixture) => readdir(join(made.folder, 'indexes', 'crawl-log'))

test('reading the logs of a job is a task, once', async () => {
  const made = await archiveWith({ name: '7-metadata-1.warc.gz', job: 1, rows: [logRow([logLine(-4, `${a}late`)])] })
  const indexes = await indexesOver(made)
  for (let time = 0; time < 2; time++) expect(await said(indexes, `${a}late`)).toMatchObject({ kind: 'line' })
  const listed = made.tasks.list({ kind: 'index', limit: 9 })
  expect(listed.map(({ subject }) => subject)).toEqual([{ code: 'index.subject.crawlLog', values: { job: 1 } }])
  expect(await made.tasks.ended(listed[0]?.task ?? 0)).toMatchObject({ state: 'DONE', filesDone: 1, filesTotal: 1 })
})

test('finds a URL by its key in every log of the job, as it was requested, with its last line', async () => {
  const made = await archiveWith(
    {
      ...{ name: '7-metadata-1.warc.gz', job: 1 },
      rows: [
        logRow([logLine(-4, `${a}late`, { second: 2 }), logLine(-9998, `${a}robots`), logLine(-5003, `${a}quota`)]),
        logRow(
          [logLine(-2, `${a}late`, { second: 3 }), logLine(-1, 'https://www.a.example/quota', { second: 9 })],
          'crawl.log.2',
        ),
      ],
    },
    { name: '8-metadata-1.warc.gz', job: 1, rows: [logRow([logLine(-8, `${a}late`)], 'crawl.log', 8)] },
    { name: '9-1-a.warc.gz', job: 1, rows: [{ url: `${a}crawl/logs/crawl.log`, at, body: logLine(-7, `${a}page`) }] },
    { name: 'other-metadata-1.warc.gz', job: 2, rows: [logRow([logLine(-6, `${a}page`)])] },
  )
  const indexes = await indexesOver(made)
  expect(await said(indexes, `${a}late`)).toEqual({
    kind: 'line',
    line: {
      ...{ loggedMs: Date.UTC(2011, 5, 23, 17, 12, 3), status: -2, url: `${a}late` },
      ...{ hopPath: 'L', via: undefined, annotations: '' },
    },
  })
  expect(statusOf(await said(indexes, `${a}robots`))).toBe(-9998)
  const logs = await indexes.crawlLogs(imported(1))
  const many = await logs.lookUp(
    1,
    Array.from({ length: 250 }, (_, number) => (number % 2 ? `${a}robots` : `${a}${number}`)),
  )
  logs.close()
  expect(many.map(statusOf)).toEqual(Array.from({ length: 250 }, (_, number) => (number % 2 ? -9998 : 'unnamed')))
  expect(statusOf(await said(indexes, 'https://a.example/Robots'))).toBe(-9998)
  expect(statusOf(await said(indexes, `${a}quota`))).toBe(-5003)
  expect(statusOf(await said(indexes, `${a}page`, 2))).toBe(-6)
  expect(await said(indexes, `${a}page`)).toEqual({ kind: 'unnamed', linesUnread: 0, filesUnread: [] })
})

test('counts malformed lines, and reports a truncated or unavailable log', async () => {
  const lines = ['# a head of columns', '', logLine(-1, `${a}gone`), `2011-06-23T17:12:01.000Z   200 `]
  const cut = (bytes: Buffer) => void bytes.fill(0, bytes.length - 60, bytes.length - 20)
  const many = Array.from({ length: 3_000 }, (_, number) => logLine(-1, `${a}${number}`))
  const made = await archiveWith(
    { name: 'one-metadata-1.warc.gz', job: 1, rows: [logRow(lines)] },
    { name: 'two-metadata-1.warc.gz', job: 2, rows: [logRow(many)], spoil: cut },
    { name: 'three-metadata-1.warc.gz', job: 3, rows: [logRow(many), logRow(many, 'crawl.log.2')] },
  )
  made.store.statement<object>(
    `UPDATE replica_file SET preservation_state = 'MISSING' WHERE file_id = (SELECT id FROM archive_file WHERE name LIKE 'three%')`,
  ).run({}) // prettier-ignore
  const indexes = await indexesOver(made)
  expect(statusOf(await said(indexes, `${a}gone`))).toBe(-1)
  expect(await said(indexes, `${a}unseen`)).toEqual({ kind: 'unnamed', linesUnread: 2, filesUnread: [] })
  expect(statusOf(await said(indexes, `${a}0`, 2))).toBe(-1)
  expect(await said(indexes, `${a}unseen`, 2)).toMatchObject({
    kind: 'unnamed',
    filesUnread: ['two-metadata-1.warc.gz'],
  })
  expect(await said(indexes, `${a}0`, 3)).toEqual({ kind: 'noLog', filesUnread: ['three-metadata-1.warc.gz'] })
})

test('a job without a log, and one without archived files', async () => {
  const made = await archiveWith({ name: 'a.warc.gz', job: 1, rows: [{ url: a, at, body: 'a' }] })
  const indexes = await indexesOver(made)
  expect(await said(indexes, a)).toEqual({ kind: 'noLog', filesUnread: [] })
  expect(await said(indexes, a, 99)).toEqual({ kind: 'noLog', filesUnread: [] })
  // The build for the job without files is not a task.
  const subjects = made.tasks.list({ kind: 'index', limit: 9 }).map(({ subject }) => subject)
  expect(subjects).toEqual([{ code: 'index.subject.crawlLog', values: { job: 1 } }])
})

test('is built once, and again when the job has more files or the stored one is lost or damaged; only the newest is kept', async () => {
  const made = await archiveWith({ name: '7-metadata-1.warc.gz', job: 1, rows: [logRow([logLine(-1, a)])] })
  const run: string[] = []
  const { threads } = made.world
  const counted: typeof threads = {
    ...threads,
    run: (module, ...rest) => (run.push(module.href.replace(/.*\//, '')), threads.run(module, ...rest)),
  }
  const world = { ...made.world, threads: counted }
  const builds = () => run.filter((name) => name === 'buildCrawlLog.thread.ts').length
  const first = await indexesOver(made, { world })
  const both = await Promise.all([said(first, a), said(first, a)])
  expect(both.map(statusOf)).toEqual([-1, -1])
  await first.close()
  expect(builds()).toBe(1)
  const [kept] = await folderOf(made)
  const second = await indexesOver(made, { world })
  expect(statusOf(await said(second, a))).toBe(-1)
  expect(builds()).toBe(1)
  await made.add({ name: '8-metadata-1.warc.gz', job: 1, rows: [logRow([logLine(-2, `${a}b`)])] })
  expect(statusOf(await said(second, `${a}b`))).toBe(-2)
  expect(builds()).toBe(2)
  const after = (await folderOf(made)).filter((name) => name.endsWith('.db'))
  expect([after.length, after.includes(kept ?? '')]).toEqual([1, false])
  const path = join(made.folder, 'indexes', 'crawl-log', after[0] ?? '')
  await rm(path)
  expect(statusOf(await said(second, `${a}b`))).toBe(-2)
  await writeFile(path, 'no database')
  expect(statusOf(await said(second, `${a}b`))).toBe(-2)
  expect(builds()).toBe(4)
})

test('beyond the size limit the least recently used is removed, and built again when needed', async () => {
  const made = await archiveWith(
    ...[1, 2].map((job) => ({ name: `${job}-metadata-1.warc.gz`, job, rows: [logRow([logLine(-job, a)])] })),
  )
  const indexes = await indexesOver(made, { bytesMax: 1 })
  for (const job of [1, 2, 1]) {
    expect(statusOf(await said(indexes, a, job))).toBe(-job)
    expect((await folderOf(made)).filter((name) => name.endsWith('.db')).map((name) => name[0])).toEqual([String(job)])
  }
  // Databases that are opened together stay until both are closed.
  const isThere = async () => {
    const both = await indexes.crawlLogs(imported(1, 2))
    const answers = await Promise.all([1, 2].map((job) => both.lookUp(job, [a])))
    both.close()
    return answers.flat().map(statusOf)
  }
  await expect.poll(isThere, { timeout: 30_000 }).toEqual([-1, -2])
})

test('requests during a build are refused at once and get the log later; closing leaves nothing unfinished', async () => {
  const made = await archiveWith({ name: '7-metadata-1.warc.gz', job: 1, rows: [logRow([logLine(-1, a)])] })
  const { clock, threads } = made.world
  const hold = Promise.withResolvers<void>()
  const world = {
    ...made.world,
    // Waits for one turn only.
    clock: { ...clock, sleep: () => turn() },
    threads: {
      ...threads,
      run: (async (...given: Parameters<typeof threads.run>) => {
        if (given[0].href.endsWith('buildCrawlLog.thread.ts')) await hold.promise
        return threads.run(...given)
      }) as typeof threads.run,
    },
  }
  const indexes = await indexesOver(made, { world })
  const logs = await indexes.crawlLogs(imported(1))
  expect(await logs.lookUp(1, [a, `${a}b`])).toEqual([{ kind: 'reading' }, { kind: 'reading' }])
  logs.close()
  hold.resolve()
  expect(statusOf(await said(indexes, a))).toBe(-1)
  await made.add({ name: '8-metadata-1.warc.gz', job: 1, rows: [logRow([logLine(-2, `${a}b`)])] })
  const unread = await indexes.crawlLogs(imported(1))
  unread.close()
  await indexes.close()
  expect((await folderOf(made)).filter((name) => name.includes('.part'))).toEqual([])
})
