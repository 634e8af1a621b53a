/** The metadata WARC alone is enough to make every report of a run again: the database is deleted, the job is recovered, and the
 *  reports are compared. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openArchive } from '../../archive/store/archive.ts'
import { harvestDefinition } from '../../contract/services/definition.ts'
import { readRecords } from '../../formats/records/readRecords.ts'
import { recordField } from '../../formats/records/record.ts'
import { openStore, type Store } from '../../storage/storage.ts'
import { seededWorld, type SeededWorld } from '../../world/testing/seeded.ts'
import { task, type CrawlInput } from '../crawl.thread.ts'
import { jobRecordReports } from '../finish/jobRecordReports.ts'
import { reportsOf } from '../finish/reports.ts'
import { openJobs } from '../jobs/jobs.ts'
import { newJobStatements } from '../model/jobs.sql.ts'
import { defaultCrawlSettings } from '../model/limits.ts'
import { settleOwnership } from '../ownership/settleOwnership.ts'
import { recover } from './recover.ts'
import type { MetadataCompression } from '../model/limits.ts'

const folder = mkdtempSync(join(tmpdir(), 'loupe-reports-'))
afterAll(() => rmSync(folder, { recursive: true }))

const replicas = [{ name: 'one', folder: '/replicas/one' }]
const quarantineFolder = '/archive/quarantine'

/** Answers of the site, by path; undefined closes the connection. In the second run a page has gone and another has changed. */
function answerOf(path: string, run: number): { status: string; fields?: string; body: string } | undefined {
  if (path === '/') {
    const links = ['/a', '/gone', '/breaks', '/calendar/2026', 'http://other.test/', 'http://%zz.test/', '/moved']
    return { status: '200 OK', body: links.map((link) => `<a href="${link}">x</a>`).join('') }
  }
  if (path === '/start') return { status: '302 Found', fields: 'Location: /\r\n', body: '' }
  if (path === '/moved') return { status: '301 Moved', fields: 'Location: /a\r\n', body: '' }
  if (path === '/a') return { status: '200 OK', body: `a ${run}` }
  if (path === '/gone' && run === 1) return { status: '200 OK', body: 'not yet gone' }
  if (path === '/breaks') return undefined
  return { status: '404 Not Found', body: 'none' }
}

function serve(world: SeededWorld, run: () => number): void {
  world.network.serve('site.test', 80, async (connection) => {
    for (let bytes = await connection.read(); bytes; bytes = await connection.read()) {
      const [, path = ''] = Buffer.from(bytes).toString().split(' ')
      const answer = answerOf(path, run())
      if (!answer) return void connection.close()
      const { status, fields = '', body } = answer
      const head = `HTTP/1.1 ${status}\r\n${fields}Content-Type: text/html\r\nContent-Length: ${body.length}\r\n\r\n`
      await connection.write(Buffer.from(head + body))
    }
  })
}

/** The engine until the job rests. */
async function worked(
  { world, databasePath, store }: { world: SeededWorld; databasePath: string; store: Store },
  metadataCompression: MetadataCompression,
): Promise<void> {
  const input: CrawlInput = {
    ...{ databasePath, replicas, quarantineFolder, software: 'Loupe/test' },
    folder: '/archive/jobs',
    incomingFolder: '/archive/incoming',
    settings: { ...defaultCrawlSettings, delayMs: 6_000, freeBytesMin: 0, metadataCompression },
  }
  const jobs = openJobs(store, world)
  const session = async () => {
    const stop = new AbortController()
    const engine = task({ world, report: () => undefined, signal: stop.signal, takePrinted: () => '' }, input)
    do await world.clock.sleep(1_000)
    while (jobs.summary(1).state !== 'INACTIVE')
    stop.abort()
    await engine
  }
  await world.run(session())
}

async function recoverIn(world: SeededWorld, store: Store) {
  const limits = { freeBytesMin: 0, freeBytesToAcceptMin: 0 }
  const archive = await openArchive({ store, world, replicas, limits })
  const signal = new AbortController().signal
  const setting = { store, world, archive, quarantineFolder, signal }
  const mark = await settleOwnership({ ...setting, folder: '/archive/jobs', log: () => undefined })
  await mark.close()
  const parts = { store, world, archive, quarantineFolder, jobs: openJobs(store, world) }
  return recover(parts, { signal, onProgress: () => undefined })
}

/** The records of a metadata file that are made from the database, by name. */
async function recordsIn(world: SeededWorld, path: string): Promise<Map<string, string>> {
  const texts = new Map<string, string>()
  const file = await world.disk.openRead(path)
  for await (const record of readRecords(file)) {
    const url = recordField(record, 'warc-target-uri') ?? ''
    const name = /\/crawl\/(?:setup|reports|logs)\/([^?]+)/.exec(url)?.[1]
    const parts: Uint8Array[] = []
    for await (const part of record.block()) parts.push(Uint8Array.from(part))
    if (name !== undefined) texts.set(name, Buffer.concat(parts).toString('latin1'))
  }
  await file.close()
  return texts
}

/** The same records, made from a database. */
function madeFrom(store: Store, world: SeededWorld, metadataName: string): Map<string, string> {
  const jobs = openJobs(store, world)
  const reports = [...jobRecordReports(store, { job: 1, metadataName }), ...reportsOf(jobs.show(1), jobs, store)]
  return new Map(
    reports.map(({ name, text }) => [
      name,
      Buffer.concat(Array.from(text(), (part) => Buffer.from(part))).toString('latin1'),
    ]),
  )
}

test.each<[string, MetadataCompression, MetadataCompression]>([
  ['1-metadata-2.warc', 'none', 'none'],
  ['1-metadata-2.warc.gz', 'none', 'gzip'],
])('every report of a run is made again from the metadata files alone: %s', async (metadataName, before, now) => {
  const world = seededWorld({ seed: 1 })
  let run = 1
  serve(world, () => run)
  const databasePath = join(folder, `lost-${now}.db`)
  const store = openStore(databasePath)
  const jobs = openJobs(store, world)
  const domains = { 'site.test': { exclude: ['/calendar/'] } }
  const seeds = ['http://site.test/start', 'http://absent.test/']
  const job = jobs.create(harvestDefinition.parse({ seeds, name: 'A site', domains }))
  const sql = newJobStatements(store)
  sql.addBudget.run({ job, domain: 'site.test', objectsMax: 50, bytesMax: null })
  sql.addSetupRecord.run({ job, name: 'harvestInfo.xml', contentType: 'text/xml', text: '<harvestInfo/>' })
  await worked({ world, databasePath, store }, before)
  run = 2
  jobs.act(job, 'start')
  await worked({ world, databasePath, store }, now)
  store.close()

  const written = await world.run(recordsIn(world, `/replicas/one/${metadataName}`))
  const empty = openStore(join(folder, `recovered-${now}.db`))
  expect(await world.run(recoverIn(world, empty))).toMatchObject({ jobs: [1], problems: [] })
  const again = madeFrom(empty, world, metadataName)
  expect([...again.keys()].toSorted()).toEqual([...written.keys()].toSorted())
  for (const [name, text] of written) {
    if (name === 'job.log') expect(again.get(name)?.startsWith(text), name).toBe(true)
    // Its members differ by the archive's id and by when gzip began a member.
    else if (name !== 'job.json') expect(again.get(name), name).toBe(text)
  }
  const record = (text = '{}') => ({ ...(JSON.parse(text) as object), archive: '' })
  expect(record(again.get('job.json'))).toEqual(record(written.get('job.json')))
  empty.close()

  expect(written.get('progress-statistics.log')).toMatch(/Z CRAWL ENDED - Finished\n$/)
  expect(written.get('progress-statistics.log')?.split('\n').length).toBeGreaterThan(7)
  expect(written.get('seeds-report.txt')).toBe(
    '[code] [status] [seed] [redirect]\n-6 NOTCRAWLED http://absent.test/\n302 CRAWLED http://site.test/start http://site.test/\n',
  )
  expect(written.get('frontier-report.txt')).toMatch(
    /^http:\/\/site\.test 0 \d+ 0 1\(1\.00\) \S+ - \d+\/50 1 \S+ \S+$/m,
  )
  expect(written.get('local-errors.log')).toMatch(/ -404 +- http:\/\/site\.test\/breaks .* \S+ \w+/)
  expect(written.get('removed-report.txt')).toContain('http://site.test/gone')
  expect(written.get('crawl.log')).toContain('excludedByPattern:/calendar/')
})
