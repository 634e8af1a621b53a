/** A harvest is controlled while it runs, with a real server: a rule ends a crawler trap, the budget of a domain
 *  is kept and raised, removed documents are not requested, and prioritised ones come first. The engine runs in
 *  another thread. */

import { textOf } from '../src-main/contract/words/render.ts'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openEngine, type Engine } from '../src-main/app/engine.ts'
import { harvestDefinition } from '../src-main/contract/services/definition.ts'
import { loupe } from './loupeProcess.ts'
import { articlesCount, startCalendar } from './sites/calendar.ts'

let folder: string
let engine: Engine
let site: Awaited<ReturnType<typeof startCalendar>>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loupe-live-'))
  engine = await openEngine({ archiveFolder: folder, shell: 'cli', version: '0.0.0', run: true })
  site = await startCalendar()
})
afterAll(async () => {
  await engine.close()
  await site.close()
  await rm(folder, { recursive: true, force: true })
})

const patience = { timeout: 60_000, interval: 50 }

async function begun(more: object = {}): Promise<number> {
  site.requests.length = 0
  const { job } = await engine.services.harvests.create(
    harvestDefinition.parse({
      seeds: [site.origin],
      resolve: site.resolve,
      delayMs: 20,
      connectionsPerHost: 3,
      workers: 6,
      ...more,
    }),
  )
  const known = async () => {
    const { waiting, inFlight } = await engine.services.queue.show({ job })
    return waiting + inFlight
  }
  await expect
    .poll(known, patience)
    .toBeGreaterThan(20)
    .catch(async (cause: unknown) => {
      throw new Error(`what it says of itself: ${await said(job)}`, { cause })
    })
  return job
}

/** Details for finding out why a job makes no progress. */
async function said(job: number): Promise<string> {
  const { queue, jobs } = engine.services
  return JSON.stringify({ queue: await queue.show({ job }), log: await jobs.log({ job }), asked: site.requests })
}

const show = (job: number) => engine.services.jobs.show({ job })
const asked = (part: string) => site.requests.filter(({ url }) => url.includes(part)).length

async function ended(job: number): Promise<void> {
  await expect.poll(async () => (await show(job)).state, patience).toBe('INACTIVE')
  const { documents, queued } = await show(job)
  expect(queued).toBe(0)
  expect(documents.total).toBe(documents.fetched + documents.failed + documents.excluded)
}

test('a rule ends an endless trap while the job fetches', async () => {
  const job = await begun()
  await expect.poll(() => asked('/day/'), patience).toBeGreaterThan(3)
  const given = { job, pattern: '/day/\\d+$' }
  const tried = await engine.services.queue.reject({ ...given, isTrial: true })
  expect(tried.first.every((url) => url.includes('/day/'))).toBe(true)
  const done = await engine.services.queue.reject(given)
  expect(done.documents + done.inProgress).toBeGreaterThan(0)
  const before = asked('/day/')
  await ended(job)
  // Requests that were already sent are not cancelled.
  expect(asked('/day/') - before).toBeLessThanOrEqual(6)
  expect(asked('/article/')).toBe(articlesCount)
  const { rules } = await engine.services.queue.show({ job })
  expect(rules).toMatchObject([{ pattern: given.pattern, problem: null }])
  expect(rules[0]?.rejected).toBeGreaterThan(0)
  const log = await engine.services.jobs.log({ job })
  expect(log.map(({ message }) => textOf(message)).join('\n')).toContain('URLs matching /day/\\d+$ are now rejected')
}, 120_000)

test('a budget of a domain is never exceeded by several workers, and a raised one is used', async () => {
  const letThrough = site.holdPictures()
  const job = await begun({ exclude: ['/day/'], delayMs: 0 })
  // Until the pictures are let through, each host has as many requests in progress as it may have.
  const started = 2 * 3
  await expect.poll(() => asked('/picture/'), patience).toBe(started)
  // robots.txt of both hosts counts too.
  const robots = 2
  const budget = (objects: number) => ({ job, budgets: [{ domain: 'pictures.test', objects, bytes: null }] })
  await engine.services.queue.budgets(budget(robots + started + 1))
  const raised = robots + started + 7
  const [effect] = await engine.services.queue.budgets({ ...budget(raised), isTrial: true })
  expect(effect).toMatchObject({ domain: 'pictures.test', dropped: 0 })
  await engine.services.queue.budgets(budget(raised))
  letThrough()
  await ended(job)
  const captured = async () =>
    (await show(job)).hosts
      .filter(({ origin }) => origin.includes('pictures.test'))
      .reduce((sum, { fetched }) => sum + fetched, 0)
  expect(await captured()).toBe(raised)
  expect((await show(job)).byReason.some(({ reason }) => reason === 'domainObjects')).toBe(true)
}, 120_000)

test('the command line: list, delete, move first, and budgets from a file, on a paused job', async () => {
  const job = await begun({ exclude: ['/day/'], delayMs: 300, connectionsPerHost: 1 })
  await engine.services.jobs.pause({ job })
  await expect.poll(async () => (await show(job)).state, patience).toBe('PAUSED')
  await engine.close()
  const file = join(folder, 'budgets.txt')
  await writeFile(file, 'pictures.test 0 -\n')
  const asks = async (...words: string[]) => {
    const { code, stdout, stderr } = await loupe('--archive', folder, '--json', 'queue', ...words)
    expect(code, stderr).toBe(0)
    return JSON.parse(stdout) as Record<string, never>
  }
  const whole = await asks(String(job))
  expect(whole['doing']).toMatchObject({ text: expect.stringMatching(/^Paused by a user/) as unknown })
  const tried = await asks('drop', String(job), '--pattern', '/article/1', '--dry-run')
  expect(await asks('drop', String(job), '--pattern', '/article/1')).toEqual(tried)
  await asks('priority', String(job), '--pattern', '/article/59$')
  await asks('priority', String(job), '2')
  expect(await asks('budget', String(job), '--file', file)).toMatchObject([{ domain: 'pictures.test', objectsMax: 0 }])
  const after = await asks(String(job))
  expect(after).toMatchObject({ priority: 2, budgets: [{ domain: 'pictures.test' }] })
  expect((await loupe('--archive', folder, 'queue', 'drop', String(job))).code).toBe(2)
  expect((await loupe('--archive', folder, 'queue', '4711')).code).toBe(3)
  const text = await loupe('--archive', folder, 'queue', String(job))
  expect(text.stdout).toContain('http://www.calendar.test')
  engine = await openEngine({ archiveFolder: folder, shell: 'cli', version: '0.0.0', run: true })
  site.requests.length = 0
  await engine.services.jobs.resume({ job })
  await expect.poll(() => asked('/article/'), patience).toBeGreaterThan(2)
  // A document that was already first in the queue may precede it.
  const first = site.requests.filter(({ url }) => url.includes('/article/')).slice(0, 2)
  expect(first.some(({ url }) => url.endsWith('/article/59'))).toBe(true)
  expect(asked('/picture/')).toBe(0)
  await engine.services.jobs.abort({ job })
  await expect.poll(async () => (await show(job)).state, patience).toBe('INACTIVE')
}, 120_000)
