/** The definition of a job is changed, while it runs and between its runs. Reports about a run use the definition
 *  that it ran with, and nothing that was fetched is lost, whatever the next run does. */

import { textOf } from '../src-main/contract/words/render.ts'
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { z } from 'zod'
import { openEngine, type Engine } from '../src-main/app/engine.ts'
import { harvestDefinition } from '../src-main/contract/services/definition.ts'
import type { JobWhole } from '../src-main/contract/services/jobDetails.ts'
import { linksTo, startChanging } from './sites/changing.ts'
import { listen } from './sites/server.ts'

let folder: string
let engine: Engine
const open = () => openEngine({ archiveFolder: folder, shell: 'cli', version: '0.0.0', run: true })

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loupe-editing-'))
  await writeFile(join(folder, 'loupe.toml'), '[harvest]\ndelayMs = 0\nretryDelayMs = 1\nworkers = 1\n')
  engine = await open()
})
afterAll(async () => {
  await engine.close()
  await rm(folder, { recursive: true, force: true })
})

type Definition = z.input<typeof harvestDefinition>

async function create(definition: Definition): Promise<number> {
  return (await engine.services.harvests.create(harvestDefinition.parse(definition))).job
}

async function edit(job: number, changes: Partial<Definition>) {
  const { definition } = await engine.services.jobs.show({ job })
  return engine.services.harvests.edit({ job, definition: { ...definition, ...changes } })
}

/** Resolves when `holds` is true, which is tested at each change of the job. */
async function until(job: number, holds: (whole: JobWhole) => boolean): Promise<JobWhole> {
  const { promise, resolve, reject } = Promise.withResolvers<JobWhole>()
  const look = () => void engine.services.jobs.show({ job }).then((whole) => holds(whole) && resolve(whole), reject)
  const unsubscribe = engine.services.jobs.changed((changed) => (changed.job === job ? look() : undefined))
  look()
  return promise.finally(unsubscribe)
}

const ended = (job: number) => until(job, ({ state, ended: at }) => state === 'INACTIVE' && at !== null)

async function again(job: number, minimal = false): Promise<JobWhole> {
  await engine.services.jobs.start({ job, minimal })
  return ended(job)
}

const replica = () => join(folder, 'replicas/ONE')

/** The record of this name in a metadata file, as JSON. */
async function setup(job: number, run: number, name: string): Promise<unknown> {
  const text = await readFile(join(replica(), `${job}-metadata-${run}.warc`), 'utf8')
  const at = text.indexOf(`metadata://loupe/crawl/setup/${name}?`)
  if (at < 0) return undefined
  const block = text.slice(text.indexOf('\r\n\r\n', at) + 4)
  return JSON.parse(block.slice(0, block.indexOf('\r\n\r\nWARC/'))) as unknown
}

/** The user agent in the first record of each file, in the order of the files. */
async function agentsOf({ files }: JobWhole): Promise<(string | undefined)[]> {
  const names = files.filter(({ kind }) => kind === 'content').map(({ name }) => name).toSorted() // prettier-ignore
  const texts = await Promise.all(names.map(async (name) => gunzipSync(await readFile(join(replica(), name)))))
  return texts.map((text) => /^http-header-user-agent: (.*)$/m.exec(text.toString('latin1'))?.[1]?.trim())
}

/** A site that holds back one response until it is released. */
async function heldSite(pages: Record<string, string>) {
  const asked: { path: string; agent: string | undefined }[] = []
  const begun = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const server = await listen(
    createServer((request, response) => {
      const path = request.url ?? '/'
      if (path !== '/robots.txt') asked.push({ path, agent: request.headers['user-agent'] })
      const answer = () => {
        response.writeHead(pages[path] === undefined ? 404 : 200, { 'Content-Type': 'text/html' })
        response.end(pages[path] ?? 'not here')
      }
      if (path !== '/held') return answer()
      begun.resolve()
      void release.promise.then(answer)
    }),
  )
  return { ...server, origin: `http://${server.address}`, asked, begun: begun.promise, release: release.resolve }
}

test('a run in progress accepts new seeds, patterns and a new user agent, and logs it', async () => {
  const site = await heldSite({
    '/': linksTo('/held', '/page', '/calendar/1'),
    '/held': 'at last',
    '/page': linksTo('/calendar/2'),
    '/second': 'of the seed that was added',
  })
  const before = { seeds: [`${site.origin}/`], userAgent: 'First', connectionsPerHost: 1 }
  const job = await create(before)
  await site.begun
  const after = { seeds: [`${site.origin}/`, `${site.origin}/second`], userAgent: 'Second', exclude: ['/calendar/'] }
  expect(await edit(job, after)).toEqual({ job, changed: ['seeds', 'exclude', 'userAgent'], holds: 'now' })
  await expect(edit(job, { connectors: { output: 'null' } })).rejects.toThrow(/a run has one source and one output/)
  site.release()
  const whole = await ended(job)
  expect(whole.stopReason).toBe('DOWNLOAD_COMPLETE')
  expect(site.asked.toSorted((a, b) => a.path.localeCompare(b.path))).toEqual([
    { path: '/', agent: 'First' },
    { path: '/held', agent: 'First' },
    { path: '/page', agent: 'Second' },
    { path: '/second', agent: 'Second' },
  ])
  expect(whole.byReason).toMatchObject([{ outcome: 'excluded', reason: 'excludedByPattern', documents: 2 }])
  expect(whole.documents).toMatchObject({ fetched: 5, excluded: 2, failed: 0, total: 7 })
  expect(await agentsOf(whole)).toEqual(['First', 'Second'])
  expect(await setup(job, 1, 'harvest.json')).toMatchObject(after)
  expect(await setup(job, 1, 'harvest-changes.json')).toMatchObject([
    { run: 1, from: null, definition: before },
    { run: 1, from: expect.stringMatching(/^\d{4}-/) as string, definition: after },
  ])
  const log = (await engine.services.jobs.log({ job })).map(({ message }) => textOf(message))
  expect(log).toContainEqual(expect.stringMatching(/^Definition changed: the seeds, .*The change applies immediately/))
  expect(log).toContainEqual(expect.stringMatching(/^Seeds read again: (1 URL is|2 URLs are) due/))
  await site.close()
})

test('seeds that are added when nothing else is left are fetched before the run ends', async () => {
  const site = await heldSite({ '/held': 'the only page', '/second': 'one more' })
  const job = await create({ seeds: [`${site.origin}/held`], scope: 'page' })
  await site.begun
  await edit(job, { seeds: [`${site.origin}/held`, `${site.origin}/second`] })
  site.release()
  expect((await ended(job)).documents).toMatchObject({ fetched: 3, total: 3 })
  expect(site.asked.map(({ path }) => path)).toEqual(['/held', '/second'])
  await site.close()
})

test('changes to a paused job apply when it resumes', async () => {
  const site = await heldSite({ '/': linksTo('/held', '/page'), '/held': 'x', '/page': 'y' })
  const job = await create({ seeds: [`${site.origin}/`], userAgent: 'First', connectionsPerHost: 1 })
  await site.begun
  await engine.services.jobs.pause({ job })
  await until(job, ({ state }) => state === 'PAUSED')
  await edit(job, { userAgent: 'Second', maxObjects: 3 })
  site.release()
  await engine.services.jobs.resume({ job })
  const whole = await ended(job)
  expect(whole.stopReason).toBe('OBJECT_LIMIT')
  expect(site.asked.filter(({ agent }) => agent === 'Second')).toHaveLength(1)
  await site.close()
})

test('each of two runs is described by the definition it ran with', async () => {
  const site = await startChanging({ '/': { body: linksTo('/a', '/b') }, '/a': { body: 'a' }, '/b': { body: 'b' } })
  const job = await create({ seeds: [`${site.origin}/`], resolve: site.resolve })
  await ended(job)
  const first = await readFile(join(replica(), `${job}-metadata-1.warc`))
  expect(await edit(job, { exclude: ['/b$'], name: 'Without b' })).toMatchObject({ holds: 'nextRun' })
  const between = await engine.services.jobs.show({ job })
  expect(between).toMatchObject({ harvest: 'Without b', definition: { exclude: ['/b$'] }, ranWith: { exclude: [] } })
  site.asked.length = 0
  const second = await again(job)
  expect(site.asked.filter((line) => line.includes('/b'))).toEqual([])
  expect(second).toMatchObject({ ranWith: null, documents: { fetched: 3 } })
  expect(await readFile(join(replica(), `${job}-metadata-1.warc`))).toEqual(first)
  expect(await setup(job, 1, 'harvest.json')).toMatchObject({ exclude: [] })
  expect(await setup(job, 2, 'harvest.json')).toMatchObject({ exclude: ['/b$'] })
  expect(await setup(job, 2, 'harvest-changes.json')).toBeUndefined()
  await site.close()
})

/** semantics 10.1.13 */
test('after a change a minimal run of a feed scans everything too', async () => {
  const entry = (path: string) => `<entry><title>${path}</title><link href="${path}"/></entry>`
  const feed = (...paths: string[]) => `<feed xmlns="http://www.w3.org/2005/Atom">${paths.map(entry).join('')}</feed>`
  const site = await startChanging({
    '/feed': { body: feed('/one') },
    '/one': { body: 'one' },
    '/two': { body: 'two' },
  })
  const job = await create({
    seeds: [`${site.origin}/feed`],
    resolve: site.resolve,
    connectors: { repository: { connector: 'feed' } },
  })
  await ended(job)
  site.pages.set('/feed', { body: feed('/two') })
  const minimal = async () => {
    site.asked.length = 0
    await again(job, true)
    return site.asked.filter((line) => !line.includes('robots'))
  }
  expect(await minimal()).toEqual(['200 /feed', '200 /two'])
  // A new delay does not require a complete scan.
  await edit(job, { delayMs: 1 })
  expect(await minimal()).toEqual(['200 /feed', '200 /two'])
  await edit(job, { userAgent: 'Another' })
  // A complete run from the beginning: URLs that are no longer in the feed have left the list at its end.
  expect(await minimal()).toEqual(['200 /feed', '200 /two'])
  const { rows } = await engine.services.jobs.documents({ job })
  expect(rows.map(({ url }) => new URL(url).pathname).toSorted()).toEqual(['/feed', '/robots.txt', '/two'])
  await site.close()
})

test('hop limits can be changed between runs, and apply as if they had always been set', async () => {
  const site = await startChanging({
    '/': { body: linksTo('/1') },
    '/1': { body: linksTo('/2') },
    '/2': { body: linksTo('/3') },
    '/3': { body: 'far' },
  })
  const job = await create({ seeds: [`${site.origin}/`], resolve: site.resolve, maxHops: 1 })
  const fetched = async (whole: Promise<JobWhole>) => (await whole).documents.fetched
  expect(await fetched(ended(job))).toBe(3)
  const { maxHops: _most, ...unlimited } = (await engine.services.jobs.show({ job })).definition
  await engine.services.harvests.edit({ job, definition: unlimited })
  expect(await fetched(again(job))).toBe(5)
  site.pages.set('/1', { body: 'leads nowhere now' })
  site.pages.set('/', { body: linksTo('/1', '/3') })
  await edit(job, { maxHops: 2 })
  const last = await again(job)
  expect(last.documents).toMatchObject({ fetched: 4, failed: 0 })
  await site.close()
})

test('a dry run after a run whose files could not be stored loses none of them', async () => {
  const site = await startChanging({ '/': { body: 'kept' } })
  // Nothing can be put into the replica for a while.
  await engine.close()
  await rename(replica(), join(folder, 'aside'))
  await writeFile(replica(), 'in the way')
  engine = await open()
  const job = await create({ seeds: [`${site.origin}/`], resolve: site.resolve })
  const first = await ended(job)
  expect(first.status).toBe('Error')
  const waiting = (await readdir(join(folder, 'jobs', String(job)))).filter((name) => name.endsWith('.warc.gz'))
  expect(waiting).toHaveLength(1)
  await edit(job, { connectors: { output: 'null' } })
  await again(job)
  expect(await readdir(join(folder, 'jobs', String(job)))).toEqual(expect.arrayContaining(waiting))
  await engine.close()
  await rm(replica())
  await rename(join(folder, 'aside'), replica())
  engine = await open()
  const stored = await until(job, ({ files }) => files.some(({ kind, stored }) => kind === 'content' && stored))
  expect(stored.files.map(({ name }) => name)).toEqual(expect.arrayContaining(waiting))
  await site.close()
})
