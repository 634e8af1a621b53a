/** The engine against real servers: the fetched and excluded URLs, the records of faulty servers, and
 *  the resulting archive, read by an independent reader. */

import { mkdtemp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { message } from '../src-main/contract/words/message.ts'
import { textOf } from '../src-main/contract/words/render.ts'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openEngine, type Engine } from '../src-main/app/engine.ts'
import { harvestDefinition, type HarvestDefinition } from '../src-main/contract/services/definition.ts'
import type { DocumentRow } from '../src-main/contract/services/documents.ts'
import type { JobWhole } from '../src-main/contract/services/jobDetails.ts'
import { truncationMessage, truncationFields } from '../src-main/contract/states/outcomes.ts'
import { faults, faultyBounds, refused, startFaulty } from './sites/faulty.ts'
import { captured, missing, startTwoHosts } from './sites/twoHosts.ts'
import { startManyPages } from './sites/manyPages.ts'
import { witnessFile, witnessFolder, type Witnessed } from './witness.ts'

let folder: string
let engine: Engine

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loupe-harvest-'))
  const bounds = Object.entries(faultyBounds).map(([name, value]) => `${name} = ${value}`)
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'loupe.toml'), ['[harvest]', ...bounds, ''].join('\n'))
  engine = await openEngine({ archiveFolder: folder, shell: 'cli', version: '0.0.0', run: true })
})

afterAll(async () => {
  await engine.close()
  await rm(folder, { recursive: true, force: true })
})

test('a site on two hosts is harvested completely, and an independent reader accepts the WARC files', async () => {
  const site = await startTwoHosts()
  const job = await harvested({ seeds: [`${site.origin}/`], resolve: site.resolve })
  await site.close()
  expect(job).toMatchObject({ state: 'INACTIVE', status: 'Done', stopReason: 'DOWNLOAD_COMPLETE', queued: 0 })
  const records = await recordsOf(job)
  expect(urls(records, 'response')).toEqual(captured)
  expect(urls(records, 'request')).toEqual(captured)
  expect(urls(records, 'metadata')).toEqual(captured)
  const rows = await documentsOf(job)
  const excluded = rows.filter(({ url }) => url === missing.url)
  expect(excluded).toMatchObject([{ outcome: 'excluded', code: 'robots', via: missing.referrer }])
  expect(excluded[0]?.reason && textOf(excluded[0].reason)).toMatch(/Disallow: \/private/)
})

test('the metadata WARC has definition, reports, logs and an index that finds every capture', async () => {
  const site = await startManyPages(5)
  const job = await harvested({ seeds: [`${site.origin}/`], resolve: site.resolve })
  await site.close()
  const metadata = (await witnessFolder(join(folder, 'replicas/ONE'))).filter(({ file }) =>
    file.endsWith(`/${job.job}-metadata-1.warc`),
  )
  expect(metadata.map(({ url }) => url.replace(/^metadata:\/\/loupe\/crawl\//, '').replace(/\?.*/, ''))).toEqual([
    '',
    'setup/job.json',
    'logs/documents.jsonl.gz',
    'logs/removed.jsonl',
    'setup/harvest.json',
    'reports/crawl-report.txt',
    'reports/hosts-report.txt',
    'reports/responsecode-report.txt',
    'reports/mimetype-report.txt',
    'reports/exclusions-report.txt',
    'reports/changes-report.txt',
    'reports/truncated-report.txt',
    'reports/removed-report.txt',
    'reports/seeds-report.txt',
    'reports/frontier-report.txt',
    'reports/processors-report.txt',
    'logs/progress-statistics.log',
    'logs/uri-errors.log',
    'logs/crawl.log',
    'logs/local-errors.log',
    'logs/job.log',
    'logs/runtime-errors.log',
    'index/cdx',
  ])
  await engine.services.viewer.open({ jobs: [job.job], untilWhole: true })
  for (const url of site.urls) expect(await engine.services.viewer.captures({ url }), url).toHaveLength(1)
})

let faulty: Promise<{ job: JobWhole; site: { origin: string } }> | undefined

/** Once for all tests that look at it: servers that say nothing take their time. */
function faultyHarvest(): Promise<{ job: JobWhole; site: { origin: string } }> {
  faulty ??= (async () => {
    const site = await startFaulty()
    const seeds = [`${site.origin}/`]
    const job = await harvested({ seeds, resolve: site.resolve, connectionsPerHost: 8, workers: 8 })
    await site.close()
    return { job, site }
  })()
  return faulty
}

test('every misbehaving server ends in its recorded outcome', async () => {
  const { job, site } = await faultyHarvest()
  const rows = new Map((await documentsOf(job)).map((row) => [row.url, row]))
  const seen = faults.map(({ path }) => summaryOf(path, rows.get(`${site.origin}${path}`)))
  expect(seen).toEqual(
    faults.map(({ path, expect: { outcome, status, reason, truncated } }) => [
      path,
      outcome,
      status ?? null,
      reason ?? null,
      truncated ?? null,
    ]),
  )
  expect(rows.get(refused)).toMatchObject({ outcome: 'failed', code: 'refused' })
  await recordsOf(job)
})

test('responses that were cut off, broke off or were too slow are findings of the job, by reason', async () => {
  const { job, site } = await faultyHarvest()
  const cut = faults.flatMap(({ path, expect: { truncated } }) =>
    truncated ? [{ url: site.origin + path, truncated }] : [],
  )
  const byTruncation = [...Map.groupBy(cut, ({ truncated }) => truncated)].map(([truncation, of]) => ({
    truncation,
    documents: of.length,
  }))
  expect(job).toMatchObject({ status: 'Done, incomplete', documents: { truncated: cut.length } })
  expect(job.byTruncation.map(({ truncation, documents }) => ({ truncation, documents })).toSorted(byName)).toEqual(
    byTruncation.toSorted(byName),
  )
  for (const { truncation, documents } of byTruncation)
    expect(job.findings).toContainEqual({
      level: 'warning',
      count: documents,
      message: message('jobFinding.truncated', { count: documents, reason: truncationMessage(truncation) }),
    })
  const { rows, total } = await engine.services.jobs.documents({ job: job.job, outcome: 'truncated' })
  expect(total).toBe(cut.length)
  expect(Object.fromEntries(rows.map(({ url, truncated }) => [url, truncated]))).toEqual(
    Object.fromEntries(cut.map(({ url, truncated }) => [url, truncated])),
  )
  const fields = (await recordsOf(job)).flatMap(({ type, url, truncated }) =>
    type === 'response' && truncated !== '' ? [[url, truncated]] : [],
  )
  expect(Object.fromEntries(fields)).toEqual(
    Object.fromEntries(cut.map(({ url, truncated }) => [url, truncationFields[truncated]])),
  )
  const reports = await witnessFile(join(folder, `replicas/ONE/${job.job}-metadata-1.warc`))
  const report = (name: string) => reports.find(({ url }) => url.includes(`/${name}?`))?.text ?? ''
  expect(report('crawl-report.txt')).toContain(`\ntruncated ${cut.length}\n`)
  const listed = report('truncated-report.txt').trimEnd().split('\n').slice(1)
  expect(
    listed
      .map((line) => line.split(' '))
      .map(([reason, , , url]) => `${reason} ${url}`)
      .toSorted(),
  ).toEqual(cut.map(({ url, truncated }) => `${truncated} ${url}`).toSorted())
  expect((await engine.services.jobs.list({ state: 'done incomplete' })).map((row) => row.job)).toContain(job.job)
})

function byName(one: { truncation: string }, other: { truncation: string }): number {
  return one.truncation.localeCompare(other.truncation)
}

const limited: {
  name: string
  limit: Partial<HarvestDefinition>
  stopReason: string
  atMost?: (job: JobWhole) => void
}[] = [
  {
    name: 'objects',
    limit: { maxObjects: 7 },
    stopReason: 'OBJECT_LIMIT',
    atMost: ({ documents }) => expect(documents.fetched).toBe(7),
  },
  {
    name: 'bytes',
    limit: { maxBytes: 20_000 },
    stopReason: 'SIZE_LIMIT',
    atMost: ({ bytes }) => expect(bytes).toBeGreaterThanOrEqual(20_000),
  },
  { name: 'seconds', limit: { maxSeconds: 1, delayMs: 400 }, stopReason: 'TIME_LIMIT' },
  {
    name: 'hops',
    limit: { maxHops: 1 },
    stopReason: 'DOWNLOAD_COMPLETE',
    atMost: ({ byReason }) => expect(byReason.map(({ reason }) => reason)).toContain('tooManyHops'),
  },
]

test.each(limited)('a limit of $name ends the job, which reports the rest', async ({ limit, stopReason, atMost }) => {
  const site = await startManyPages(30)
  const job = await harvested({ seeds: [`${site.origin}/`], resolve: site.resolve, ...limit })
  await site.close()
  expect(job).toMatchObject({ state: 'INACTIVE', status: 'Done', stopReason, queued: 0 })
  expect(job.documents.total).toBe(job.documents.fetched + job.documents.failed + job.documents.excluded)
  atMost?.(job)
})

test('a host gets one connection at a time, with the delay between two requests', async () => {
  const site = await startManyPages(3)
  const delayMs = 60
  const job = await harvested({ seeds: [`${site.origin}/`], resolve: site.resolve, delayMs, connectionsPerHost: 1 })
  await site.close()
  const moments = (await documentsOf(job)).map(({ fetched, durationMs }) => ({
    beganMs: Date.parse(fetched ?? ''),
    durationMs: durationMs ?? 0,
  }))
  const inOrder = moments.toSorted((a, b) => a.beganMs - b.beganMs)
  for (const [index, { beganMs, durationMs }] of inOrder.entries()) {
    const next = inOrder[index + 1]
    if (next) expect(next.beganMs).toBeGreaterThanOrEqual(beganMs + durationMs + delayMs)
  }
})

test('a paused job stops fetching, a resumed one continues, and no URL is fetched twice', async () => {
  const site = await startManyPages(40)
  const { job } = await engine.services.harvests.create(
    definition({ seeds: [`${site.origin}/`], resolve: site.resolve, delayMs: 5 }),
  )
  await until(job, ({ documents }) => documents.fetched >= 10)
  expect(await engine.services.jobs.pause({ job })).toEqual({ job, from: 'ACTIVE', to: 'PAUSING' })
  await until(job, ({ state }) => state === 'PAUSED')
  const requestsWhenPaused = site.requests.length
  await expect(engine.services.jobs.pause({ job })).rejects.toMatchObject({ code: 'refused' })
  expect(site.requests).toHaveLength(requestsWhenPaused)
  await engine.services.jobs.resume({ job })
  await until(job, ({ ended }) => ended !== null)
  await site.close()
  expect(urls(await recordsOf(await engine.services.jobs.show({ job })), 'response')).toEqual(site.urls)
})

test('an aborted job keeps what it fetched and is reported as stopped', async () => {
  const site = await startManyPages(40)
  const { job } = await engine.services.harvests.create(
    definition({ seeds: [`${site.origin}/`], resolve: site.resolve, delayMs: 20 }),
  )
  await until(job, ({ documents }) => documents.fetched >= 5)
  await engine.services.jobs.abort({ job })
  await until(job, ({ ended }) => ended !== null)
  await site.close()
  const whole = await engine.services.jobs.show({ job })
  expect(whole).toMatchObject({ status: 'Stopped', stopReason: 'DOWNLOAD_UNFINISHED', queued: 0 })
  expect(urls(await recordsOf(whole), 'response')).toHaveLength(whole.documents.fetched)
})

test('the sample site is served and harvested, and shows what robots.txt excludes', async () => {
  const { job } = await engine.services.harvests.openSample({})
  await until(job, ({ ended }) => ended !== null)
  const whole = await engine.services.jobs.show({ job })
  expect(whole).toMatchObject({ status: 'Done', documents: { failed: 0 } })
  expect(whole.byMediaType.map(({ mediaType }) => mediaType)).toContain('text/html')
  expect(whole.byReason.map(({ reason }) => reason)).toContain('robots')
})

test('files of other programs are imported and can be searched', async () => {
  const site = await startManyPages(4)
  const first = await harvested({ seeds: [`${site.origin}/`], resolve: site.resolve })
  await site.close()
  const other = await mkdtemp(join(tmpdir(), 'loupe-import-'))
  const second = await openEngine({ archiveFolder: other, shell: 'cli', version: '0.0.0', run: true })
  try {
    const content = first.files
      .filter(({ kind }) => kind === 'content')
      .map(({ name }) => join(folder, 'replicas/ONE', name))
    // A file of another archive with the name that the second job of this archive would give its metadata.
    const foreign = join(other, '2-metadata-1.warc')
    // Its bytes differ, because a file that the archive already has is not imported again.
    await writeFile(foreign, Buffer.concat([await readFile(content[0] ?? ''), gzipSync('')]))
    const paths = [...content, foreign, join(folder, 'nothing.warc')]
    const { job } = await second.services.harvests.import({ paths })
    await until(job, ({ ended }) => ended !== null, second)
    const whole = await second.services.jobs.show({ job })
    expect(whole).toMatchObject({ kind: 'import', documents: { fetched: 2 * site.urls.length } })
    expect((await second.services.jobs.log({ job })).map(({ message }) => textOf(message)).join('\n')).toMatch(
      /nothing\.warc was not imported\. There is no such file or folder\./,
    )
    await second.services.viewer.open({ jobs: [job], untilWhole: true })
    for (const url of site.urls) expect(await second.services.viewer.captures({ url }), url).toHaveLength(2)
    const { job: sample } = await second.services.harvests.openSample({})
    await until(sample, ({ ended }) => ended !== null, second)
    const { files } = await second.services.jobs.show({ job: sample })
    expect(files.map(({ name, kind, stored }) => [name, kind, stored])).toContainEqual([
      '2-metadata-2.warc',
      'metadata',
      true,
    ])
  } finally {
    await second.close()
    await rm(other, { recursive: true, force: true })
  }
})

test('a WARC file is closed at its size limit, and the next one begins with its own warcinfo record', async () => {
  const own = await mkdtemp(join(tmpdir(), 'loupe-rolling-'))
  await writeFile(join(own, 'loupe.toml'), '[harvest]\nfileBytesMax = 20_000\n')
  const small = await openEngine({ archiveFolder: own, shell: 'cli', version: '0.0.0', run: true })
  const site = await startManyPages(20)
  try {
    const { job } = await small.services.harvests.create(
      definition({ seeds: [`${site.origin}/`], resolve: site.resolve }),
    )
    await until(job, ({ ended }) => ended !== null, small)
    const files = (await small.services.jobs.show({ job })).files.filter(({ kind }) => kind === 'content')
    expect(files.length).toBeGreaterThan(2)
    expect(files.every(({ stored }) => stored)).toBe(true)
    const records = (await witnessFolder(join(own, 'replicas/ONE'))).filter(({ file }) => file.endsWith('.warc.gz'))
    expect(urls(records, 'response')).toEqual(site.urls)
    expect(records.filter(({ type }) => type === 'warcinfo')).toHaveLength(files.length)
  } finally {
    await small.close()
    await site.close()
    await rm(own, { recursive: true, force: true })
  }
})

function definition(given: Partial<HarvestDefinition> & Pick<HarvestDefinition, 'seeds'>): HarvestDefinition {
  // Several harvests here visit the same host, and each is to have its own records.
  return harvestDefinition.parse({ delayMs: 0, connectionsPerHost: 2, deduplication: { match: 'off' }, ...given })
}

async function harvested(given: Parameters<typeof definition>[0]): Promise<JobWhole> {
  const { job } = await engine.services.harvests.create(definition(given))
  await until(job, ({ ended }) => ended !== null)
  return engine.services.jobs.show({ job })
}

/** Checks the job again after each of its change events. */
async function until(
  job: number,
  isSo: (job: JobWhole) => boolean,
  { services }: Pick<Engine, 'services'> = engine,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const look = () => services.jobs.show({ job }).then((whole) => (isSo(whole) ? resolve() : undefined), reject)
  const unsubscribe = services.jobs.changed((changed) => (changed.job === job ? void look() : undefined))
  void look()
  await promise
  unsubscribe()
}

async function documentsOf({ job }: JobWhole): Promise<DocumentRow[]> {
  return (await engine.services.jobs.documents({ job, limit: 1000 })).rows
}

/** The records of a job's content files, every digest right, the same in both replicas. */
async function recordsOf({ files }: JobWhole): Promise<Witnessed[]> {
  const own = (records: Witnessed[]) =>
    records.filter(({ file }) => files.some(({ name, kind }) => kind === 'content' && file.endsWith(`/${name}`)))
  const [one = [], two = []] = await Promise.all(
    ['ONE', 'TWO'].map(async (name) => own(await witnessFolder(join(folder, 'replicas', name)))),
  )
  expect(two.map(({ block }) => block)).toEqual(one.map(({ block }) => block))
  for (const { url, type, block, payload } of one) {
    expect(block.found, `${type} ${url}`).toBe(block.claimed)
    // The digest of a revisit is that of its original.
    if (payload && type !== 'revisit') expect(payload.found, `${type} ${url}`).toBe(payload.claimed)
  }
  return one
}

function urls(records: Witnessed[], type: string): string[] {
  return records
    .filter((record) => record.type === type)
    .map(({ url }) => url)
    .toSorted()
}

function summaryOf(path: string, row: DocumentRow | undefined): (string | number | null)[] {
  return [path, row?.outcome ?? null, row?.status ?? null, row?.code ?? null, row?.truncated ?? null]
}
