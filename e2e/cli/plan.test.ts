/** The commands of delivery plans, as a user types them: captures of a harvest go to two search engines, a webhook and a folder. */
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DeliveryDestination, DeliveryPlanRow } from '../../src-main/contract/services/deliveries.ts'
import { searchServer, type SearchServer } from '../../src-main/delivery/testing/searchServer.ts'
import { loupeHere, loupeJson, startLoupe } from '../loupeProcess.ts'
import { harvestedMuseum, type Harvested } from './harvested.ts'

const bad = '1 http://museum.test/'
/** Documents that Solr refuses. */
const refused = new Set([bad])
let harvested: Harvested
let solr: SearchServer
let search: SearchServer
let hook: SearchServer
beforeAll(async () => {
  harvested = await harvestedMuseum()
  solr = await searchServer({ isBad: (id) => refused.has(id), isTolerant: true })
  search = await searchServer()
  hook = await searchServer()
})
afterAll(async () => {
  for (const server of [solr, search, hook]) await server.close()
  await harvested.close()
})

const run = (...words: string[]) => loupeHere('--archive', harvested.archive, ...words)
const json = (...words: string[]) => loupeJson('--archive', harvested.archive, ...words)
const once = () => run('--json', 'plan', 'run', 'museum', '--once')

async function planFile(name: string, scanner = ''): Promise<string> {
  const step = (kind: string, at: string, more: string) =>
    `[[steps]]\nname = "${at}"\nkind = "${kind}"\n${more.replaceAll('; ', '\n')}\n`
  const after = 'after = ["texts"]; batchDelayMs = 50'
  const path = join(harvested.folder, name)
  const text = [
    'name = "museum"\n',
    step('captures', 'scan', `settings = { jobs = [1] }; ${scanner}`),
    step('title', 'titles', 'after = ["scan"]'),
    step('text', 'texts', 'after = ["titles"]; router = { kind = "all" }'),
    step('solr', 'solr', `${after}; settings = { url = "${solr.url}/solr/pages" }`),
    step('openSearch', 'search', `${after}; settings = { url = "${search.url}", index = "pages" }`),
    step('webhook', 'hook', `${after}; settings = { url = "${hook.url}/hook" }`),
    step('folder', 'copies', `${after}; settings = { folder = ${JSON.stringify(join(harvested.folder, 'copies'))} }`),
  ]
  await writeFile(path, text.join(''))
  return path
}

interface Status extends DeliveryPlanRow {
  destinations: DeliveryDestination[]
  failed: number
}

const countsIn = ({ destinations }: Status) =>
  Object.fromEntries(destinations.map(({ destination, counts }) => [destination, counts]))

test('a plan with faults is described, and not saved', async () => {
  const path = join(harvested.folder, 'faulty.toml')
  await writeFile(path, 'name = "faulty"\n[[steps]]\nname = "a"\nkind = "nothing"\n')
  const checked = await run('plan', 'check', path)
  expect(checked.code).toBe(1)
  expect(checked.stdout).toContain('Fault: Step a: there is no kind of step named nothing.')
  const saved = await run('plan', 'save', path)
  expect(saved.code).toBe(2)
  expect(saved.stderr).toMatch(/^The plan has \d faults?, and nothing was saved\./)
  expect((await run('plan', 'list')).stdout).toContain('There are no delivery plans.')
  expect((await run('plan', 'run', 'faulty')).code).toBe(3)
})

test('a plan is saved, and delivers every capture; what a destination refuses is counted, listed and notified', async () => {
  const path = await planFile('plan.toml')
  expect((await run('plan', 'check', path)).stdout).toBe('The plan has no faults.\n')
  expect(await json('plan', 'save', path)).toMatchObject({ name: 'museum', version: 1, run: 'stopped' })
  const { code, stdout, stderr } = await once()
  expect(code, stderr).toBe(1)
  expect(stderr).toContain('1 delivery failed for good')
  const status = JSON.parse(stdout) as Status
  const total = search.accepted.size
  expect(total).toBeGreaterThan(10)
  expect(status).toMatchObject({ run: 'stopped', failed: 1, unknown: 0 })
  expect(countsIn(status)).toEqual({
    ...{ solr: { INDEXED: total - 1, ERROR_DOC: 1 }, search: { INDEXED: total } },
    ...{ hook: { INDEXED: total }, copies: { INDEXED: total } },
  })
  expect([...hook.accepted.values()].every((times) => times === 1)).toBe(true)
  const copied = await readdir(join(harvested.folder, 'copies'), { recursive: true })
  expect(copied.filter((name) => name.endsWith('.json'))).toHaveLength(total)
  const listed = await run('plan', 'documents', 'museum', '--destination', 'solr', '--status', 'ERROR_DOC')
  expect(listed.stdout).toContain(bad)
  expect((await run('plan', 'list')).code).toBe(1)
  const notified = await run('notifications', 'list')
  expect(notified.stdout).toContain('Delivery plan museum: solr has refused documents')
})

test('the history of a document is that of all destinations', async () => {
  const events = (await json('plan', 'history', 'museum', bad)) as { destination: string; state: string }[]
  const of = (name: string) => events.filter(({ destination }) => destination === name).map(({ state }) => state)
  expect(of('hook')).toEqual(['PROCESSING', 'INDEXING', 'INDEXED'])
  expect(of('solr')).toEqual(['PROCESSING', 'BATCHED', 'ERROR_DOC'])
  expect((await run('plan', 'history', 'museum', 'nothing')).code).toBe(3)
})

test('a refused document is retried, another is forced, and only they are sent again', async () => {
  const at = (destination: string, status: string) => ['museum', '--destination', destination, '--status', status]
  refused.clear()
  const retried = await run('plan', 'retry', ...at('solr', 'ERROR_DOC'))
  expect(retried.stdout).toBe('1 document was changed.\n')
  expect(retried.stderr).toContain('The delivery plan "museum" is not running')
  expect(await json('plan', 'drop', ...at('search', 'ERROR'))).toEqual({ decided: 0 })
  expect((await run('plan', 'force', ...at('hook', 'INDEXED'), bad)).code).toBe(0)
  const { code, stdout } = await once()
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ failed: 0 })
  expect(solr.accepted.get(bad)).toBe(1)
  expect([...hook.accepted].filter(([, times]) => times > 1)).toEqual([[bad, 2]])
  expect([...search.accepted.values()].every((times) => times === 1)).toBe(true)
})

test('a document that is retried and then dropped is not sent', async () => {
  const at = (status: string) => ['museum', bad, '--destination', 'hook', '--status', status]
  expect(await json('plan', 'documents', 'museum', '--destination', 'hook', '--status', 'DROPPED')).toEqual([])
  await run('plan', 'retry', ...at('INDEXED'))
  expect(await json('plan', 'drop', ...at('RESTART'))).toEqual({ decided: 1 })
  expect((await once()).code).toBe(0)
  expect(hook.accepted.get(bad)).toBe(2)
  const wrong = await run('plan', 'drop', ...at('INDEXED'))
  expect(wrong.code).toBe(3)
  expect(wrong.stderr).toBe(`No document in this status is "${bad}".\n`)
})

test('a new version keeps statuses; it runs from the next start of the engine until it is stopped', async () => {
  const requests = search.requests
  const path = await planFile('often.toml', 'intervalSeconds = 1')
  expect(await json('plan', 'save', path)).toMatchObject({ version: 2 })
  const asked = await run('plan', 'run', 'museum')
  expect(asked.stdout).toBe('The delivery plan "museum" runs as soon as Loupe is started ("loupe serve").\n')
  const serving = startLoupe(['--archive', harvested.archive, '--json', 'serve'])
  await serving.line(/"url"/)
  await expect.poll(async () => ((await json('plan', 'status', 'museum')) as Status).run).toBe('running')
  const other = await run('plan', 'run', 'museum', '--version-number', '1')
  expect(other.code).toBe(4)
  expect(other.stderr).toBe('Version 2 of the delivery plan "museum" is running: stop it first.\n')
  expect((await run('plan', 'save', path)).code).toBe(4)
  expect(await json('plan', 'stop', 'museum')).toMatchObject({ run: 'stopped', version: 2 })
  serving.child.kill('SIGTERM')
  await serving.ended
  expect(search.requests).toBe(requests)
})
