/** A site that one job harvests twice: the requests and records of the second run, the remaining documents, and
 *  the pages that a browser gets through the proxy. */

import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openEngine, type Engine } from '../src-main/app/engine.ts'
import { harvestDefinition } from '../src-main/contract/services/definition.ts'
import type { JobWhole } from '../src-main/contract/services/jobDetails.ts'
import type { GoneMode, Recheck } from '../src-main/contract/shapes/recheck.ts'
import { linksTo, startChanging, type Changing } from './sites/changing.ts'
import { witnessFile, type Witnessed } from './witness.ts'

let folder: string
let engine: Engine

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loupe-recrawl-'))
  await writeFile(join(folder, 'loupe.toml'), '[harvest]\ndelayMs = 0\nretryDelayMs = 1\n')
  engine = await openEngine({ archiveFolder: folder, shell: 'cli', version: '0.0.0', run: true })
})

afterAll(async () => {
  await engine.close()
  await rm(folder, { recursive: true, force: true })
})

const date = 'Wed, 21 Oct 2015 07:28:00 GMT'

function firstVisit(): Promise<Changing> {
  return startChanging({
    '/': { body: linksTo('/etag', '/dated', '/same', '/changed', '/gone') },
    '/etag': { body: `with a tag ${linksTo('/below')}`, etag: '"1"' },
    '/dated': { body: 'with a date', lastModified: date },
    '/same': { body: 'the same each time' },
    '/changed': { body: `before ${linksTo('/unlinked')}` },
    '/gone': { body: 'not for long' },
    '/below': { body: 'found through what is not sent again' },
    '/unlinked': { body: 'without links to it later' },
  })
}

function change({ pages, asked }: Changing): void {
  pages.set('/changed', { body: `after ${linksTo('/new')}` })
  pages.set('/new', { body: 'of the second visit' })
  pages.delete('/gone')
  asked.length = 0
}

async function begin(site: Changing, recheck: Partial<Recheck> = {}, more: object = {}): Promise<JobWhole> {
  const definition = { seeds: [`${site.origin}/`], resolve: site.resolve, delayMs: 0, recheck, ...more }
  const { job } = await engine.services.harvests.create(harvestDefinition.parse(definition))
  return ended(job)
}

/** Deduplication with one other job, text included. */
function comparedWith({ job }: JobWhole): object {
  return { deduplication: { match: 'url', excludedTypes: [], jobs: [job] } }
}

async function again({ job }: JobWhole): Promise<JobWhole> {
  await engine.services.jobs.start({ job })
  return ended(job)
}

async function ended(job: number): Promise<JobWhole> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const look = () =>
    engine.services.jobs
      .show({ job })
      .then(({ state, ended: at }) => (state === 'INACTIVE' && at !== null ? resolve() : undefined), reject)
  const unsubscribe = engine.services.jobs.changed((changed) => (changed.job === job ? void look() : undefined))
  void look()
  await promise
  unsubscribe()
  return engine.services.jobs.show({ job })
}

const replica = () => join(folder, 'replicas/ONE')

/** The responses and revisits of a job. */
async function recordsIn(job: JobWhole): Promise<Witnessed[]> {
  return recordsSince({ files: [] }, job)
}

/** The responses and revisits in the files that only `after` has. */
async function recordsSince(before: Pick<JobWhole, 'files'>, after: JobWhole): Promise<Witnessed[]> {
  const names = after.files.filter(
    ({ kind, name }) => kind === 'content' && !before.files.some((file) => file.name === name),
  )
  const all = await Promise.all(names.map(({ name }) => witnessFile(join(replica(), name))))
  return all.flat().filter(({ type }) => ['response', 'revisit'].includes(type))
}

async function listed({ job }: JobWhole): Promise<string[]> {
  const { rows } = await engine.services.jobs.documents({ job, limit: 1000 })
  return rows.map(({ url }) => new URL(url).pathname).toSorted()
}

async function seen(url: string): Promise<{ status: number; body: string }> {
  const { proxy } = await engine.services.system.about({})
  const [host = '', port = ''] = proxy.split(':')
  return new Promise((resolve, reject) => {
    request({ host, port, path: url, headers: { Host: new URL(url).host } }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(chunks).toString() }))
    })
      .on('error', reject)
      .end()
  })
}

const remaining = ['/', '/below', '/changed', '/dated', '/etag', '/new', '/robots.txt', '/same']

test.each([
  ['responses', false],
  ['revisits of captures of another job', true],
])('after a first run that stored %s, the second requests only what has changed', async (_, isContinued) => {
  const site = await firstVisit()
  const earlier = isContinued ? await begin(site, {}, { deduplication: { match: 'off' } }) : undefined
  site.asked.length = 0
  const first = await begin(site, {}, earlier && comparedWith(earlier))
  expect(first.documents).toMatchObject({ fetched: 9, failed: 0, total: 9 })
  expect(site.asked.filter((request) => request.endsWith('if'))).toHaveLength(isContinued ? 2 : 0)
  const inFirst = (await recordsIn(first)).filter(({ url }) => !url.endsWith('/robots.txt'))
  expect(new Set(inFirst.map(({ type }) => type))).toEqual(new Set([isContinued ? 'revisit' : 'response']))
  const bytesBefore = await readdir(replica())
  change(site)
  const second = await again(first)

  expect(site.asked.toSorted()).toEqual([
    '200 /',
    '200 /below',
    '200 /changed',
    '200 /new',
    '200 /same',
    '304 /dated if',
    '304 /etag if',
    '404 /gone',
    '404 /robots.txt',
  ])
  const records = await recordsSince(first, second)
  const kinds = records.map(({ type, url, firstLine }) => `${type} ${firstLine.split(' ')[1]} ${new URL(url).pathname}`)
  expect(kinds.toSorted()).toEqual([
    'response 200 /changed',
    'response 200 /new',
    'response 404 /gone',
    'response 404 /robots.txt',
    'revisit 200 /',
    'revisit 200 /below',
    'revisit 200 /same',
    'revisit 304 /dated',
    'revisit 304 /etag',
  ])
  for (const { block } of records) expect(block.found).toBe(block.claimed)

  expect(second.documents).toMatchObject({ fetched: 9, failed: 0, excluded: 0, total: 9 })
  expect(await listed(second)).toEqual(remaining)
  // Nothing that was archived is touched: files are only added.
  expect((await readdir(replica())).filter((name) => bytesBefore.includes(name))).toEqual(bytesBefore)
  expect(second.files.filter(({ kind }) => kind === 'metadata').map(({ name }) => name)).toEqual([
    `${first.job}-metadata-1.warc`,
    `${first.job}-metadata-2.warc`,
  ])

  await engine.services.viewer.open({ jobs: [first.job], untilWhole: true })
  for (const [path, { body }] of site.pages) {
    if (path === '/unlinked') continue
    expect(await seen(`${site.origin}${path}`), path).toEqual({ status: 200, body })
    expect((await engine.services.viewer.captures({ url: `${site.origin}${path}` })).length, path).toBe(
      path === '/new' ? 1 : 2,
    )
  }
  await site.close()
})

test('a document that changes to what another job has is not stored again', async () => {
  const later = await firstVisit()
  change(later)
  const other = await begin(later, {}, { deduplication: { match: 'off' } })
  await later.close()
  const site = await firstVisit()
  const first = await begin(site, {}, comparedWith(other))
  const typeOf = (records: Witnessed[], path: string) => records.find(({ url }) => new URL(url).pathname === path)?.type
  expect(typeOf(await recordsIn(first), '/changed')).toBe('response')
  change(site)
  const since = await recordsSince(first, await again(first))
  expect(['/changed', '/new'].map((path) => typeOf(since, path))).toEqual(['revisit', 'revisit'])
  await site.close()
})

test.each<[GoneMode, string[]]>([
  ['keep', [...remaining, '/gone', '/unlinked'].toSorted()],
  ['atOnce', remaining],
])('what has gone, where that is to be dealt with "%s"', async (gone, expected) => {
  const site = await firstVisit()
  const first = await begin(site, { gone })
  change(site)
  expect(await listed(await again(first))).toEqual(expected)
  await site.close()
})

test('a run that met its limit does not report unvisited pages as gone', async () => {
  const site = await firstVisit()
  const definition = { seeds: [`${site.origin}/`], resolve: site.resolve, delayMs: 0, maxObjects: 3 }
  const { job } = await engine.services.harvests.create(harvestDefinition.parse(definition))
  const first = await ended(job)
  const before = (await engine.services.jobs.documents({ job, outcome: 'fetched', limit: 100 })).rows.length
  await again(first)
  const after = await listed(first)
  expect(before).toBe(3)
  expect(after.length).toBeGreaterThanOrEqual(before)
  await site.close()
})

test('a deleted job keeps its archived files, and its number is never used again', async () => {
  const site = await firstVisit()
  const first = await begin(site)
  const { promise, resolve } = Promise.withResolvers<void>()
  engine.services.jobs.removed(({ job }) => (job === first.job ? resolve() : undefined))
  const files = await readdir(replica())
  await engine.services.jobs.delete({ job: first.job })
  await promise
  await expect(engine.services.jobs.show({ job: first.job })).rejects.toMatchObject({ code: 'notFound' })
  expect(await readdir(replica())).toEqual(files)
  const next = await begin(site)
  expect(next.job).toBe(first.job + 1)
  await site.close()
})
