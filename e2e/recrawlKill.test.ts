/** The second run of a job, before which pages were changed and removed, is killed with kill -9 repeatedly, each
 *  time after some further requests to the site. In the end the archive and the documents of the job must be those
 *  of an undisturbed second run. */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contract } from '../src-main/contract/contract.ts'
import { servicesOver } from '../src-main/contract/calls/service.ts'
import { httpLink } from '../src-main/shells/server/httpLink.ts'
import { prepared, randomFrom } from './killedHarvest.ts'
import { loupe, startLoupe } from './loupeProcess.ts'
import { linksTo, startChanging, type Changing, type Page } from './sites/changing.ts'
import { witnessFolder } from './witness.ts'

const pagesCount = 60
const killsCount = 4
const chance = randomFrom(Number(process.env['LOUPE_SEED'] ?? 1))
const paths = Array.from({ length: pagesCount }, (_, index) => `/page${index}`)

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loupe-recrawl-kill-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Every third page has a name for its version, every fifth changes, every seventh goes. */
function siteBefore(): Promise<Changing> {
  const pages = paths.map((path, at): [string, Page] => [
    path,
    { body: `page ${at}`, ...(at % 3 === 0 ? { etag: `"${at}"` } : {}) },
  ])
  return startChanging({ '/': { body: linksTo(...paths) }, ...Object.fromEntries(pages) })
}

function change({ pages }: Changing): void {
  for (const [at, path] of paths.entries()) {
    if (at % 7 === 6) pages.delete(path)
    else if (at % 5 === 4) pages.set(path, { body: `another page ${at}`, etag: `"new ${at}"` })
  }
}

/** A server over the archive, which continues every unfinished job. */
async function serving(archive: string) {
  const running = startLoupe(['--archive', archive, '--json', 'serve'])
  const { origin, hash } = new URL((JSON.parse(await running.line(/"url"/)) as { url: string }).url)
  const link = httpLink({ origin, token: hash.replace('#token=', '') })
  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    link.close()
    running.child.kill(signal)
    await running.ended
  }
  return { jobs: servicesOver(contract, link).jobs, end }
}

async function secondRun(name: string, kills: number) {
  const site = await siteBefore()
  const archive = join(folder, name)
  await prepared(archive, { fileBytesMax: 8_000 })
  const [address = ''] = Object.entries(site.resolve).map(([host, target]) => `${host}=${target}`)
  const words = ['harvest', `${site.origin}/`, '--delay-ms', '0', '--connections-per-host', '2', '--resolve', address]
  const { code, stderr } = await loupe('--archive', archive, ...words)
  expect(code, stderr).toBe(0)
  change(site)
  let server = await serving(archive)
  await server.jobs.start({ job: 1 })
  const isOver = async () => (await server.jobs.show({ job: 1 })).state === 'INACTIVE'
  let halfDone = 0
  for (let left = kills; left > 0; left -= 1) {
    const until = site.requests.length + 1 + chance(Math.floor(pagesCount / kills))
    while (site.requests.length < until && !(await isOver())) await sleep(1)
    if (!(await isOver())) halfDone += 1
    await server.end('SIGKILL')
    server = await serving(archive)
  }
  while (!(await isOver())) await sleep(50)
  const { status, stopReason, queued, documents } = await server.jobs.show({ job: 1 })
  const { rows } = await server.jobs.documents({ job: 1, limit: 1_000 })
  await server.end('SIGTERM')
  await site.close()
  const [one, two] = await Promise.all(['ONE', 'TWO'].map((of) => witnessFolder(join(archive, 'replicas', of))))
  const records = (one ?? []).filter(({ type }) => ['response', 'revisit', 'request'].includes(type))
  expect(records.filter(({ block }) => block.claimed !== block.found)).toEqual([])
  expect(two).toHaveLength(one?.length ?? 0)
  return {
    halfDone,
    left: {
      job: { status, stopReason, queued, documents },
      rows: rows.map(({ url, outcome, status }) => `${url} ${outcome} ${status}`).sort(),
      records: records.map(({ type, url }) => `${type} ${url}`).sort(),
    },
  }
}

test('however often its second run is killed, a job ends like an undisturbed one', async () => {
  const undisturbed = await secondRun('undisturbed', 0)
  expect(undisturbed.left.job).toMatchObject({ status: 'Done', stopReason: 'DOWNLOAD_COMPLETE', queued: 0 })
  const killed = await secondRun('killed', killsCount)
  // Were they all too late, this would say nothing.
  expect(killed.halfDone).toBeGreaterThanOrEqual(2)
  expect(killed.left).toEqual(undisturbed.left)
})
