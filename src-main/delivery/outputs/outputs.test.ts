/** The rules of output connections, one by one: over HTTP with the search server of the tests, in the real world. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { outputSettings, type OutputInput, type OutputStep } from '../../contract/services/outputs.ts'
import { openJobEnds } from '../jobOutputs.ts'
import { outputDocumentReader } from '../outputs.ts'
import { textOf } from '../../contract/words/render.ts'
import { openStore } from '../../storage/storage.ts'
import { realWorld } from '../../world/real.ts'
import { outputFixture } from '../testing/outputFixture.ts'
import { searchServer } from '../testing/searchServer.ts'
import { finishConnectors, openUserConnectors } from './connectors.ts'
import { hotOutputSql } from './outputDocuments.sql.ts'
import { readyNoticesSql } from './notices.sql.ts'
import type { OutputReport } from './runOutput.ts'
import { runOutputs } from './runOutputs.ts'

type Manner = Parameters<typeof searchServer>[0]

async function opened(manner: Manner = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'loupe-outputs-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const store = openStore(':memory:')
  const server = await searchServer(manner)
  onTestFinished(async () => {
    await server.close()
    store.close()
  })
  const world = realWorld()
  let nowMs = 1_000
  const fixture = outputFixture(store, () => (nowMs += 1))
  const reports: OutputReport[] = []
  const add = (settings: object, more: Partial<OutputInput> = {}) =>
    fixture.addOutput('index', '', { settings: outputSettings.parse(settings), ...more })
  const until = async (condition: () => boolean, documentMs = 50) => {
    const stop = new AbortController()
    const running = runOutputs({
      environment: fixture.environment(world),
      ...{ archiveFolders: [], pauses: { documentMs, noticeMs: 20 }, signal: stop.signal },
      onReport: (_, report) => void reports.push(report),
    })
    await Promise.race([running, expect.poll(condition, { timeout: 15_000, interval: 20 }).toBe(true)])
    stop.abort()
    await running
  }
  return {
    ...{ store, server, world, fixture, reports, add, until, folder },
    quiet: () => until(() => fixture.isQuiet()),
    counts: () => fixture.outputs.show('index').counts,
    ends: openJobEnds(store),
    solr: { connector: 'solr', url: `${server.url}/solr/pages` },
  }
}

const html = (text: string) => ({ body: `<title>${text}</title><p>${text}` })
const [first, second] = ['http://a.test/1', 'http://a.test/2'] as const
const none = { delivered: 0, waiting: 0, failed: 0, removed: 0, notTaken: 0 }

describe('documents', () => {
  test.each([
    ['Solr', 'solr', {}, '/solr/pages'],
    ['OpenSearch', 'openSearch', { index: 'pages' }, ''],
    ['a webhook', 'webhook', {}, '/hook'],
  ])('%s gets what is new or changed, once, and loses what leaves', async (_, connector, more, path) => {
    const { fixture, server, add, quiet, counts } = await opened()
    add({ connector, url: server.url + path, ...more }, { steps: ['title', 'text'] })
    fixture.addJob(1, [{ output: 'INDEX' }])
    fixture.capture(1, first, html('one'))
    fixture.capture(1, second, html('two'))
    await quiet()
    expect([...server.held.keys()].toSorted()).toEqual([first, second])
    expect(JSON.stringify(server.held.get(first))).toMatch(/"title":\[?"one"/)
    fixture.check(1, first)
    fixture.capture(1, second, html('changed'))
    await quiet()
    expect(Object.fromEntries(server.accepted)).toEqual({ [first]: 1, [second]: 2 })
    fixture.leave(1, first)
    await quiet()
    expect([...server.held.keys()]).toEqual([second])
    expect(counts()).toEqual({ ...none, delivered: 1, removed: 1 })
    fixture.deleteJob(1)
    await quiet()
    expect([...server.held.keys()]).toEqual([])
    expect(Object.fromEntries(server.removed)).toEqual({ [first]: 1, [second]: 1 })
  })

  test('what another job of the output considers valid is not removed, and the latter replaces the former', async () => {
    const { fixture, server, add, quiet, counts, solr } = await opened()
    add(solr, { steps: ['title'] })
    const title = () => (server.held.get(first) as { title: string }).title
    for (const job of [1, 2]) fixture.addJob(job, [{ output: 'index' }])
    fixture.capture(1, first, html('former'))
    await quiet()
    fixture.capture(2, first, html('latter'))
    await quiet()
    expect(title()).toBe('latter')
    fixture.leave(1, first)
    await quiet()
    expect([title(), server.removed.size, server.accepted.get(first)]).toEqual(['latter', 0, 2])
    // What is left when the owner leaves is the version of the other job.
    fixture.capture(1, first, html('former'))
    fixture.check(2, first)
    await quiet()
    fixture.leave(2, first)
    await quiet()
    expect([title(), server.removed.size]).toEqual(['former', 0])
    fixture.leave(1, first)
    await quiet()
    expect(server.held.size).toBe(0)
    expect(counts()).toMatchObject({ delivered: 0, removed: 1 })
  })

  test('versions and times of a URL are kept, and an unchanged one is only checked', async () => {
    const { fixture, store, add, quiet, solr } = await opened()
    add(solr)
    const of = () => outputDocumentReader(store)(1, first)
    fixture.addJob(1, [{ output: 'index' }])
    expect(of()).toBeNull()
    fixture.capture(1, first, html('a'))
    await quiet()
    const once = of()
    expect(once).toMatchObject({ job: 1, content: 'sent', state: 'INDEXED', changes: 1 })
    fixture.check(1, first)
    await quiet()
    const checked = of()
    expect(checked).toEqual({ ...once, checked: checked?.checked })
    expect(Date.parse(checked?.checked ?? '')).toBeGreaterThan(Date.parse(once?.checked ?? ''))
    fixture.capture(1, first, html('b'))
    await quiet()
    const twice = of()
    expect(twice).toMatchObject({ changes: 2, first: once?.first, outputVersion: once?.outputVersion })
    expect(twice?.version).not.toBe(once?.version)
  })

  const changes: [
    string,
    { connector?: object; steps?: OutputStep[]; reingest?: true; specification?: object },
    number,
  ][] = [
    ['nothing', {}, 1],
    ['the fields that are sent', { connector: { fields: ['url'] } }, 2],
    ['the credentials', { connector: { headers: { Authorization: 'Basic eDp5' } } }, 1],
    ['the processors', { steps: ['language'] }, 2],
    ['the names of fields', { specification: { fields: { title: 'dc_title' } } }, 2],
    ['a limit that it keeps', { specification: { bytesMax: 1_000 } }, 1],
    ['nothing, and all is to be sent again', { reingest: true }, 2],
  ]
  test.each(changes)('a change of %s', async (_, { connector, steps, reingest, specification }, times) => {
    const { fixture, server, add, quiet, solr } = await opened()
    add(solr, { steps: ['title'] })
    fixture.addJob(1, [{ output: 'index' }])
    fixture.capture(1, first, html('a'))
    await quiet()
    if (reingest) fixture.outputs.reingest('index')
    fixture.outputs.edit('index', {
      ...(connector && { settings: outputSettings.parse({ ...solr, ...connector }) }),
      ...(steps && { steps }),
    })
    if (specification) fixture.deliverTo(1, [{ output: 'index', ...specification }])
    await quiet()
    expect(server.accepted.get(first)).toBe(times)
    if (specification && 'fields' in specification) expect(server.held.get(first)).toMatchObject({ dc_title: 'a' })
  })

  test('what the output does not take is known and not there, and is removed where it was', async () => {
    const { fixture, server, store, add, quiet, counts, solr } = await opened()
    add(solr)
    fixture.addJob(1, [{ output: 'index' }])
    fixture.capture(1, first, { body: 'png', mediaType: 'image/png' })
    fixture.capture(1, second, html('two'))
    await quiet()
    expect([...server.held.keys()]).toEqual([second])
    expect(outputDocumentReader(store)(1, first)).toMatchObject({
      content: 'none',
      state: null,
      outputVersion: expect.any(String) as string,
    })
    expect(counts()).toEqual({ ...none, delivered: 1, notTaken: 1 })
    fixture.deliverTo(1, [{ output: 'index', mediaTypes: ['image/*'] }])
    await quiet()
    expect([...server.held.keys()]).toEqual([first])
    fixture.deliverTo(1, [{ output: 'index', bytesMax: 2, mediaTypes: ['*/*'] }])
    await quiet()
    expect([...server.held.keys()]).toEqual([])
    expect(counts()).toEqual({ ...none, notTaken: 2 })
  })

  test('an error page is no document, and a page that its job excludes or loses is none any more', async () => {
    const { fixture, server, add, quiet, solr } = await opened()
    add(solr)
    fixture.addJob(1, [{ output: 'index' }])
    const ids = [1, 2, 3, 4].map((at) => `http://a.test/${at}`)
    for (const id of ids) fixture.capture(1, id, html(id))
    await quiet()
    expect(server.held.size).toBe(4)
    fixture.capture(1, ids[0] ?? '', { ...html('gone'), status: 404 })
    fixture.exclude(1, ids[1] ?? '')
    fixture.outOfRange(1, ids[2] ?? '')
    await quiet()
    expect([...server.held.keys()]).toEqual([ids[3]])
  })

  test('an output that a job no longer names loses the documents of the job', async () => {
    const { fixture, server, add, quiet, solr } = await opened()
    add(solr)
    fixture.addJob(1, [{ output: 'index' }])
    fixture.capture(1, first, html('a'))
    await quiet()
    fixture.deliverTo(1, [])
    // A deletion before the output has looked.
    fixture.deleteJob(1)
    await quiet()
    expect(server.held.size).toBe(0)
  })
})

describe('failures', () => {
  test('a server that is down gets everything when it is back, removals too', async () => {
    let status: number | undefined = 503
    const { fixture, server, add, quiet, until, counts, solr } = await opened({ status: () => status })
    add(solr)
    fixture.addJob(1, [{ output: 'index' }])
    fixture.capture(1, first, html('a'))
    await until(() => server.requests >= 2)
    expect(counts()).toMatchObject({ waiting: 1, delivered: 0 })
    status = undefined
    await quiet()
    expect([...server.held.keys()]).toEqual([first])
    status = 503
    const before = server.requests
    fixture.leave(1, first)
    await until(() => server.requests >= before + 2)
    expect(counts()).toMatchObject({ waiting: 1, removed: 0 })
    status = undefined
    await quiet()
    expect(server.held.size).toBe(0)
    expect(counts()).toMatchObject({ waiting: 0, removed: 1 })
  })

  test('a document that is refused is failed, holds up no other, and is sent again when it changes', async () => {
    let isBad = (id: string): boolean => id === first
    const { fixture, server, add, quiet, counts, reports, solr } = await opened({ isBad: (id) => isBad(id) })
    add(solr)
    fixture.addJob(1, [{ output: 'index' }])
    fixture.capture(1, first, html('a'))
    fixture.capture(1, second, html('b'))
    await quiet()
    expect(counts()).toEqual({ ...none, delivered: 1, failed: 1 })
    expect(reports).toMatchObject([{ kind: 'failed', document: first, state: 'ERROR_DOC' }])
    isBad = () => false
    fixture.check(1, first)
    await quiet()
    expect(server.held.size).toBe(1)
    fixture.capture(1, first, html('better'))
    await quiet()
    expect(counts()).toEqual({ ...none, delivered: 2 })
  })
})

describe('the end of a job', () => {
  test('is told after its documents: a commit makes them visible', async () => {
    const { fixture, server, add, quiet, ends, solr } = await opened()
    add(solr)
    fixture.addJob(1, [{ output: 'index' }])
    for (const at of [1, 2, 3]) fixture.capture(1, `http://a.test/${at}`, html(String(at)))
    const end = { job: 1, run: 1, kind: 'completed' } as const
    ends.announce({ ...end, nowMs: 0 })
    // A repetition after a kill.
    ends.announce({ ...end, nowMs: 0 })
    await quiet()
    expect([server.commits, server.visible.size]).toEqual([1, 3])
    expect(ends.notices(end)).toEqual([{ output: 'index', state: 'DONE', problem: null }])
    fixture.deleteJob(1)
    await quiet()
    expect(server.visible.size).toBe(3)
  })

  test('is repeated after a failure, and given up', async () => {
    const { fixture, server, add, quiet, ends, reports, solr } = await opened({ status: () => 503 })
    add(solr)
    fixture.addJob(1, [{ output: 'index' }])
    const end = { job: 1, run: 1, kind: 'completed' } as const
    ends.announce({ ...end, nowMs: 0 })
    await quiet()
    expect(server.requests).toBe(5)
    expect(ends.notices(end)).toMatchObject([{ state: 'FAILED', problem: { code: 'delivery.http.status' } }])
    expect(reports).toMatchObject([{ kind: 'notTold', job: 1 }])
  })
})

describe('connectors of the user', () => {
  const source = (log: string, version = '1', more = '') => `
import { appendFileSync } from 'node:fs'
const note = (...what) => appendFileSync(${JSON.stringify(log)}, what.join(' ') + '\\n')
export const version = ${version}
export const install = () => note('install')
export const deinstall = () => note('deinstall')
export default ({ place }) => ({
  send: ({ url, body, fields }) => { ${more}; note('send', place, url, body.length, fields.title?.[0]) },
  remove: (url) => note('remove', url),
  accepts: ({ mediaType }) => mediaType === 'text/html',
  jobCompleted: ({ job, kind }) => note(kind, job),
})`

  test('are installed once, get documents, removals and ends of jobs, and are deinstalled', async () => {
    const { fixture, store, world, add, quiet, counts, folder, ends } = await opened()
    const [log, module] = [join(folder, 'log'), join(folder, 'shelf.mjs')]
    const lines = () => readFileSync(log, 'utf8').trim().split('\n')
    writeFileSync(module, source(log))
    const setting = { store, world, archiveFolders: [] }
    const connectors = openUserConnectors(setting)
    const settings = { connector: 'module', name: 'shelf', settings: { place: 'left' } }
    expect(() => add(settings)).toThrow('There is no connector "shelf"')
    await connectors.register('shelf', module)
    await finishConnectors(setting)
    await finishConnectors(setting)
    expect(lines()).toEqual(['install'])
    add(settings, { steps: ['title'] })
    fixture.addJob(1, [{ output: 'index' }])
    fixture.capture(1, first, html('a'))
    fixture.capture(1, second, { body: 'b', mediaType: 'text/plain' })
    ends.announce({ job: 1, run: 1, kind: 'completed', nowMs: 0 })
    await quiet()
    fixture.leave(1, first)
    await quiet()
    expect(lines().slice(1)).toEqual([`send left ${first} 20 a`, 'completed 1', `remove ${first}`])
    expect(counts()).toEqual({ ...none, removed: 1, notTaken: 1 })
    // From then on nothing is delivered, whenever the deinstallation ends.
    fixture.capture(1, first, html('again'))
    connectors.deregister('shelf')
    expect(fixture.outputs.show('index').problem).toMatchObject({ code: 'output.lacks' })
    expect(ends.lacking(1)).toHaveLength(1)
    await finishConnectors(setting)
    expect(connectors.list()).toEqual([])
    expect(lines().slice(4)).toEqual(['deinstall'])
    await connectors.register('shelf', module)
    await finishConnectors(setting)
    await quiet()
    expect(lines().slice(5)).toEqual(['install', `send left ${first} 28 again`])
  })

  test('send everything again with another version, and what they throw is an error of the document', async () => {
    const { fixture, store, world, add, quiet, counts, folder, reports } = await opened()
    const [log, module] = [join(folder, 'log'), join(folder, 'shelf.mjs')]
    const setting = { store, world, archiveFolders: [] }
    const connectors = openUserConnectors(setting)
    const fails = `if (url.endsWith('/2')) throw Object.assign(new Error('no room'), { lasting: true })`
    writeFileSync(module, source(log, '1', fails))
    await connectors.register('shelf', module)
    await finishConnectors(setting)
    add({ connector: 'module', name: 'shelf' })
    fixture.addJob(1, [{ output: 'index' }])
    fixture.capture(1, first, html('a'))
    fixture.capture(1, second, html('b'))
    await quiet()
    expect(counts()).toEqual({ ...none, delivered: 1, failed: 1 })
    expect(reports).toMatchObject([{ kind: 'failed', document: second }])
    writeFileSync(module, source(log, '"2"'))
    await connectors.register('shelf', module)
    await finishConnectors(setting)
    await quiet()
    expect(counts()).toEqual({ ...none, delivered: 2 })
    expect(connectors.one('shelf')).toMatchObject({ version: '2', outputs: 1 })
  })

  test('are left to be installed when they are registered again during their deinstallation', async () => {
    const { store, world, folder } = await opened()
    const [begun, go, module] = [join(folder, 'begun'), join(folder, 'go'), join(folder, 'slow.mjs')]
    writeFileSync(
      module,
      `import { existsSync, mkdirSync } from 'node:fs'
       export const version = 1
       export default () => ({})
       export async function deinstall() {
         mkdirSync(${JSON.stringify(begun)})
         while (!existsSync(${JSON.stringify(go)})) await new Promise((others) => setImmediate(others))
       }`,
    )
    const setting = { store, world, archiveFolders: [] }
    const connectors = openUserConnectors(setting)
    await connectors.register('slow', module)
    await finishConnectors(setting)
    connectors.deregister('slow')
    const finishing = finishConnectors(setting)
    await expect.poll(() => existsSync(begun), { timeout: 15_000 }).toBe(true)
    await connectors.register('slow', module)
    writeFileSync(go, '')
    await finishing
    expect(connectors.one('slow').state).toBe('INSTALLING')
    await finishConnectors(setting)
    expect(connectors.one('slow').state).toBe('INSTALLED')
  })

  test.each([
    ['without a version', 'export default () => ({})', /must export a version/],
    ['without a default export', 'export const version = 1', /default/],
    [
      'that fails',
      'export const version = 1; export default () => ({}); export const install = () => { throw new Error("no") }',
      /install\(\) failed: no/,
    ],
  ])('a module %s is not installed', async (_, text, problem) => {
    const { store, world, folder } = await opened()
    const module = join(folder, 'wrong.mjs')
    writeFileSync(module, text)
    const setting = { store, world, archiveFolders: [] }
    const connectors = openUserConnectors(setting)
    await connectors.register('wrong', module)
    await finishConnectors(setting)
    const [row] = connectors.list()
    expect(row?.state).toBe('INSTALLING')
    expect(row?.problem && textOf(row.problem)).toMatch(problem)
  })
})

test('the connector in docs/outputs.md is installed, keeps documents, and removes them', async () => {
  const { fixture, store, world, add, quiet, counts, folder, ends } = await opened()
  const page = readFileSync(join(import.meta.dirname, '../../../docs/outputs.md'), 'utf8')
  const [, code = ''] = /```js\n([^]*?)```/.exec(page) ?? []
  const module = join(folder, 'shelf.mjs')
  writeFileSync(module, code)
  const setting = { store, world, archiveFolders: [] }
  const connectors = openUserConnectors(setting)
  await connectors.register('shelf', module)
  await finishConnectors(setting)
  const shelf = join(folder, 'shelf')
  add({ connector: 'module', name: 'shelf', settings: { folder: shelf } }, { steps: ['title'] })
  fixture.addJob(1, [{ output: 'index' }])
  fixture.capture(1, first, html('one'))
  ends.announce({ job: 1, run: 1, kind: 'completed', nowMs: 0 })
  await quiet()
  expect(readFileSync(join(shelf, `${encodeURIComponent(first)}.txt`), 'utf8')).toBe('one\ntext/html\n24\n')
  expect(readFileSync(join(shelf, 'jobs.log'), 'utf8')).toBe('1 completed\n')
  fixture.leave(1, first)
  await quiet()
  expect(readdirSync(shelf)).toEqual(['jobs.log'])
  expect(counts()).toMatchObject({ removed: 1 })
})

describe('output connections', () => {
  test('are refused with a reason where they cannot be added, changed or removed', async () => {
    const { fixture, add, solr } = await opened()
    add(solr)
    expect(() => add(solr)).toThrow('already an output connection "index"')
    expect(() =>
      fixture.outputs.edit('index', { settings: outputSettings.parse({ connector: 'folder', folder: '/a' }) }),
    ).toThrow('cannot be changed')
    expect(() => fixture.outputs.show('other')).toThrow('There is no output connection "other"')
    fixture.addJob(1, [{ output: 'index' }])
    await expect(fixture.outputs.remove('index', () => [])).rejects.toThrow('the job 1 (h1) delivers to it')
    fixture.deliverTo(1, [])
    await expect(fixture.outputs.remove('index', () => ['usual'])).rejects.toThrow('the template usual names it')
    await fixture.outputs.remove('index', () => [])
    expect(fixture.outputs.list()).toEqual([])
  })

  test('hot statements read by index only', async () => {
    const { store } = await opened()
    const planOf = (sql: string) =>
      store
        .statement<object, { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
        .all({
          ...{ output: 1, after: 0, limit: 1, key: Buffer.from('a'), nowMs: 0 },
        })
        .map(({ detail }) => detail)
    for (const sql of [...Object.values(hotOutputSql), readyNoticesSql])
      expect(planOf(sql).filter((detail) => detail.startsWith('SCAN'))).toEqual([])
  })
})
