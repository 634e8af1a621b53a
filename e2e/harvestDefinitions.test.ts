/** A selective harvest with the real engine and a real server: two domains with crawler traps and limits are harvested twice; the
 *  statistics say what each job fetched, and that the second run is too small. */
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openEngine, type Engine } from '../src-main/app/engine.ts'
import { textOf } from '../src-main/contract/words/render.ts'
import { listen, type Listening } from './sites/server.ts'

let folder: string
let engine: Engine
let server: Listening
const requested: string[] = []
/** Pages that each site links from its home page. */
let pages = 100

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loupe-definitions-'))
  engine = await openEngine({ archiveFolder: join(folder, 'archive'), shell: 'cli', version: '0.0.0', run: true })
  server = await listen(
    createServer((request, response) => {
      const { url = '/', headers } = request
      requested.push(`${headers.host}${url}`)
      const links = Array.from({ length: pages }, (_, at) => `<a href="/page${at}">${at}</a>`)
      response.writeHead(200, { 'Content-Type': 'text/html' })
      response.end(
        url === '/' ? `${links.join('')}<a href="/calendar/2026">calendar</a>` : `page ${url} of ${headers.host}`,
      )
    }),
  )
})
afterAll(async () => {
  await engine.close()
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

/** Generates a run now and waits until its jobs have been counted. */
async function ran(harvest: number): Promise<number[]> {
  const { harvestDefinitions, harvestStatistics } = engine.services
  const counted = new Set<number>()
  const all = Promise.withResolvers<void>()
  const expected: number[] = []
  const look = () => {
    if (expected.length > 0 && expected.every((job) => counted.has(job))) all.resolve()
  }
  const stop = harvestStatistics.counted(({ job }) => {
    counted.add(job)
    look()
  })
  expected.push(...(await harvestDefinitions.run({ harvest })).jobs)
  look()
  await all.promise
  stop()
  return expected
}

test('a selective harvest of two domains, twice: limits, traps, statistics and an alarm', async () => {
  const { domains, templates, harvestDefinitions, harvestStatistics, generatedJobs, jobs } = engine.services
  await domains.addList({ text: 'one.example\ntwo.example\n' })
  const resolve = ['www.one.example', 'www.two.example'].map((host) => `"${host}" = "${server.address}"`)
  const toml = `scope = "domain"\nrobots = "ignore"\ndelayMs = 0\n[resolve]\n${resolve.join('\n')}\n`
  await templates.edit({ name: 'default', toml })
  await domains.edit({ domain: 'one.example', traps: ['/calendar/'] })
  const [configuration] = (await domains.show({ domain: 'two.example' })).configurations
  if (!configuration) throw new Error('a new domain has no configuration')
  await domains.setConfiguration({ domain: 'two.example', configuration: { ...configuration, objectsMax: 60 } })
  const { harvest } = await harvestDefinitions.add({
    ...{ name: 'Two sites', kind: 'selective', schedule: 'Daily' },
    configurations: [{ domain: 'one.example' }, { domain: 'two.example' }],
  })

  const [first = 0, ...others] = await ran(harvest)
  expect(others).toEqual([])
  expect(await generatedJobs.show({ job: first })).toMatchObject({
    status: 'DONE',
    run: 1,
    configurations: 2,
    harvestError: null,
  })
  expect(await jobs.show({ job: first })).toMatchObject({ status: 'Done', harvest: 'Two sites (1)' })
  const { rows } = await harvestStatistics.ofJob({ job: first })
  const results = rows.map(({ domain, configuration: name, objects, stopReason }) => [
    domain,
    name,
    objects,
    stopReason,
  ])
  expect(results).toEqual([
    ['one.example', 'default', 101, 'DOWNLOAD_COMPLETE'],
    ['two.example', 'default', 60, 'CONFIG_OBJECT_LIMIT'],
  ])
  expect(requested.filter((each) => each.startsWith('www.one.example/calendar'))).toEqual([])

  // Small pages make the byte limit of the first domain permit millions of objects, so that the two no longer share a job.
  pages = 4
  const [large = 0, small = 0] = await ran(harvest)
  const { next } = await generatedJobs.explain({ job: large })
  expect(next).toMatchObject({ domain: 'two.example' })
  expect(next && textOf(next.reason)).toMatch(/^Its 60 expected objects differ too much from the others/)
  const runs = await harvestStatistics.ofHarvest({ harvest })
  const alarms = runs.map(({ run, objects, alarms: [alarm] }) => [run, objects, alarm && textOf(alarm.message)])
  expect(alarms).toEqual([
    [2, 11, 'Only 11 objects: earlier runs had 161 objects.'],
    [1, 161, undefined],
  ])
  const ofDomain = await harvestStatistics.ofDomain({ domain: 'two.example' })
  expect(ofDomain.rows.map(({ job, objects, stopReason }) => [job, objects, stopReason])).toEqual([
    [small, 6, 'DOWNLOAD_COMPLETE'],
    [first, 60, 'CONFIG_OBJECT_LIMIT'],
  ])
  expect((await harvestDefinitions.runs({ harvest })).rows.map(({ run, jobs: byStatus }) => [run, byStatus])).toEqual([
    [2, { DONE: 2 }],
    [1, { DONE: 1 }],
  ])
  await expect(jobs.start({ job: first })).rejects.toThrow('was generated by a harvest and runs once')
})

test('the errors of a job are told apart: what the upload could not store is no error of the harvest', async () => {
  const { harvestDefinitions, generatedJobs } = engine.services
  const { harvest } = await harvestDefinitions.add({
    ...{ name: 'One site', kind: 'selective', schedule: 'Daily' },
    configurations: [{ domain: 'one.example' }],
  })
  const replica = join(folder, 'archive', 'replicas', 'TWO')
  await rename(replica, `${replica}-away`)
  const [job = 0] = await ran(harvest)
  const row = await generatedJobs.show({ job })
  expect(row.harvestError).toBeNull()
  expect(row.uploadError && textOf(row.uploadError)).toMatch(/^1 file is not in every replica yet\.$/)
  const { harvest: ofHarvest, upload } = await generatedJobs.errors({ job })
  expect(ofHarvest).toEqual([])
  expect(upload.map(({ message }) => textOf(message))).toEqual([
    expect.stringMatching(/TWO.* The files wait in .* and are stored at the next start of Loupe\.$/s),
  ])
  await rename(`${replica}-away`, replica)
})
