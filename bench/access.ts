/** Measures what the gate costs (`npm run bench:access [-- --requests N --runs N]`): 50 accounts request pages through the viewer's proxy and
 *  search among URLs at the same time, once where nothing is secured and once with 100 security rules that show each account the pages of its own
 *  job and hide those of the others. Every answer is compared with what the account may see; one of another account ends the benchmark. The server
 *  and the clients share a process, so that the times are longer than those of `replay.ts`. Prints ratios as JSON. */
import { join } from 'node:path'
import { Agent, request as httpRequest } from 'node:http'
import { parseArgs } from 'node:util'
import { openAccess } from '../src-main/access/access.ts'
import { sightsOf } from '../src-main/app/gate/sights.ts'
import { urlSearch, type UrlSearchParts } from '../src-main/app/services/urlSearch.ts'
import type { Caller } from '../src-main/contract/calls/caller.ts'
import { authorityConnectionInput } from '../src-main/contract/services/authorities.ts'
import { openIndexes } from '../src-main/indexes/indexes.ts'
import { createArchive } from '../src-main/indexes/testing/archiveFixture.ts'
import { viewerOver } from '../src-main/viewer/testing/viewerFixture.ts'
import { machineLine, percentileOf, printRatio, ratioOf, spreadOf } from './measure.ts'

const { values } = parseArgs({
  options: { requests: { type: 'string', default: '10000' }, runs: { type: 'string', default: '3' } },
})
const [requests, runs] = [Number(values.requests), Number(values.runs)]

const accounts = Array.from({ length: 50 }, (_, at) => `account${at + 1}`)
const pagesPerJob = 40
/** The share of the throughput without rules that must be left, and that is aimed for. */
const goals = { least: 0.9, aim: 0.97 }

const urlOf = (page: number) => `http://site.test/page${page}`
const bodyOf = (job: number, page: number) => `page ${page} of job ${job}`
const callerOf = (account: string): Caller => ({ account, roles: ['viewer'], shell: 'window', address: '192.0.2.7' })

const made = await createArchive()
for (const [at] of accounts.entries())
  await made.add({
    ...{ name: `${at + 1}-1-a.warc.gz`, job: at + 1 },
    rows: Array.from({ length: pagesPerJob }, (_, page) => ({
      ...{ url: urlOf(page), at: new Date(Date.UTC(2020, 0, 1, at)).toISOString(), body: bodyOf(at + 1, page) },
    })),
  })
const { folder, world, archive, store, tasks } = made
const indexes = await openIndexes({ folder: join(folder, 'indexes'), world, archive, tasks })

const access = openAccess({
  ...{ store, world, archiveFolders: [], settings: () => ({ workers: 10, mappingWorkers: 10 }) },
  secretOf: () => Promise.reject(new Error('no connector needs one')),
  onBug: (error) => console.error(error),
})
access.groups.add({ name: 'g', description: '' })
const users = join(folder, 'users.csv')
await world.disk.write(users, Buffer.from(accounts.map((account) => `${account},${account}\n`).join('')))
access.connections.add(
  authorityConnectionInput.parse({
    kind: 'authority',
    name: 'users',
    connector: 'file',
    settings: { path: users },
    group: 'g',
  }),
)
/** Two rules for each job: only its account sees it, and on another level too. */
function secure(): void {
  for (const [at, account] of accounts.entries())
    for (const level of ['share', 'document'] as const)
      access.security.set({ job: at + 1, surtPrefix: 'test,site)/', level, group: 'g', allow: [account], deny: [] })
}
function unsecure(): void {
  for (const { rule } of access.security.rules()) access.security.remove(rule)
}

const sightFor = sightsOf(access, () => ['viewer'])
const viewer = await viewerOver(made, { indexes, sightFor })
const jobs = {
  known: () => ({ ended: '2024-01-01T00:00:00Z' }),
  exists: () => true,
} as unknown as UrlSearchParts['jobs']
const search = urlSearch({ indexes, archive, jobs, sightFor })
const everyJob = accounts.map((_, at) => at + 1)
const agent = new Agent({ keepAlive: true, maxSockets: 16 })

/** The viewings of all accounts: each shows its own job, so that the answers are the same with rules and without. */
const viewings = await Promise.all(
  accounts.map((account, at) => {
    const chosen = {
      jobs: [at + 1],
      moment: { kind: 'newest' },
      withinMs: undefined,
      isExact: true,
      overlays: [],
    } as const
    return viewer.openOwn(chosen, '', { caller: callerOf(account) })
  }),
)

function fetched(url: string, { user, password }: { user: string; password: string }): Promise<string> {
  const { host, port } = viewer.proxy
  const credentials = Buffer.from(`${user}:${password}`).toString('base64')
  const headers = { host: new URL(url).host, 'proxy-authorization': `Basic ${credentials}` }
  return new Promise((resolve, reject) => {
    httpRequest({ host, port, path: url, headers, agent }, (answer) => {
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('error', reject)
      answer.on('end', () => resolve(Buffer.concat(parts).toString()))
    })
      .on('error', reject)
      .end()
  })
}

/** One request of an account: every tenth is a search among the URLs of all jobs. */
async function one(number: number, isSecured: boolean): Promise<void> {
  const at = (number * 7) % accounts.length
  const viewing = viewings[at]
  const page = number % pagesPerJob
  if (!viewing) throw new Error('there is a viewing')
  if (number % 10 === 0) {
    const { urls } = await search(
      { url: urlOf(page), match: 'exact', jobs: everyJob, untilWhole: true },
      callerOf(accounts[at] ?? ''),
    )
    const expected = isSecured ? { job: at + 1, captures: 1 } : { captures: accounts.length }
    const [found] = urls
    if (found?.captures !== expected.captures || ('job' in expected && found.job !== expected.job))
      throw new Error(`${accounts[at]} found ${JSON.stringify(urls)}`)
    return
  }
  const text = await fetched(urlOf(page), viewing)
  if (text !== bodyOf(at + 1, page)) throw new Error(`${accounts[at]} got "${text}"`)
}

/** Requests per second, and the 99th percentile of their times in milliseconds. */
async function measuredRun(isSecured: boolean): Promise<{ perSecond: number; p99Ms: number }> {
  if (isSecured) secure()
  else unsecure()
  const times: number[] = []
  let next = 0
  const client = async () => {
    for (let number = next++; number < requests; number = next++) {
      const began = performance.now()
      await one(number, isSecured)
      times.push(performance.now() - began)
    }
  }
  const began = performance.now()
  await Promise.all(Array.from({ length: 16 }, client))
  return { perSecond: (requests / (performance.now() - began)) * 1_000, p99Ms: percentileOf(times, 99) }
}

console.log(machineLine())
// The first run fills caches for both.
await measuredRun(false)
const open = []
const secured = []
for (let run = 0; run < runs; run += 1) {
  open.push(await measuredRun(false))
  secured.push(await measuredRun(true))
}
const median = (of: readonly { perSecond: number; p99Ms: number }[], key: 'perSecond' | 'p99Ms') =>
  spreadOf(of.map((each) => each[key])).median
console.log(
  `without rules: ${Math.round(median(open, 'perSecond'))} requests/s, p99 ${median(open, 'p99Ms').toFixed(1)} ms`,
)
console.log(
  `with 100 rules: ${Math.round(median(secured, 'perSecond'))} requests/s, p99 ${median(secured, 'p99Ms').toFixed(1)} ms`,
)
const row = { work: `${requests} requests of 50 accounts, 100 security rules`, peer: 'Loupe without rules' }
printRatio({
  ...ratioOf(
    { ...row, theirs: median(open, 'perSecond'), ours: median(secured, 'perSecond'), unit: 'requests/s' },
    'higher',
  ),
  ...goals,
})
agent.destroy()
await viewer.close()
await made[Symbol.asyncDispose]()
