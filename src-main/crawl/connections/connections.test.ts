import { describe, expect, test } from 'vitest'
import { refusalOf } from '../../contract/calls/refusedValue.ts'
import { connectionInput, type ConnectionInput } from '../../contract/services/connections.ts'
import { usualConnectors } from '../../contract/services/connectors.ts'
import { harvestDefinition } from '../../contract/services/definition.ts'
import { message } from '../../contract/words/message.ts'
import { textOf } from '../../contract/words/render.ts'
import { openStore } from '../../storage/storage.ts'
import { seededWorld } from '../../world/testing/seeded.ts'
import { openConnectors } from '../capture/connectors/installed.ts'
import { openDefinitions } from '../definition/definitions.ts'
import { openJobs } from '../jobs/jobs.ts'
import { checkConnection, type CheckSetting } from './connectionCheck.ts'
import { openConnections } from './connections.ts'
import { recordedConnections, restoreConnections, withUsableNames } from './recordedConnections.ts'

function opened() {
  const world = seededWorld({ seed: 1 })
  const store = openStore(':memory:')
  const jobs = openJobs(store, world)
  const connections = openConnections(store, world)
  const input = (given: object): ConnectionInput => connectionInput.parse({ kind: 'repository', ...given })
  return {
    ...{ world, store, jobs, connections },
    add: (given: object) => connections.add(input(given)),
    created: (connectors: object, more: object = {}) =>
      jobs.create(harvestDefinition.parse({ seeds: ['http://a.test/'], ...more, connectors })),
  }
}

const none = () => []
const throttles = [
  { match: '\\.b\\.test$', description: 'a slow server', connections: 1, fetchesPerMinute: 7.5 },
  { match: '^a\\.', bytesPerSecond: 5_000 },
]
const sitemap = { connector: 'sitemap', changedSince: '2026-01-31' } as const

describe('a connection', () => {
  test('is added with its defaults, shown, listed by name and kind, changed and removed', () => {
    const { add, connections } = opened()
    expect(add({ name: 'Web', throttles })).toEqual({
      ...{ kind: 'repository', name: 'Web', description: '', settings: { connector: 'web' }, connectionsMax: 10 },
      ...{ throttles, title: message('connector.web.title'), jobs: 0 },
    })
    add({ name: 'dry', kind: 'output', settings: { connector: 'null' }, description: 'for trials' })
    expect(connections.list().map(({ name }) => name)).toEqual(['dry', 'Web'])
    expect(connections.list('output')).toMatchObject([{ name: 'dry', description: 'for trials', connectionsMax: 10 }])
    // Names are the same in any case of letters. What is not given stays, such as the throttles with their descriptions.
    connections.edit('WEB', { description: 'sites', connectionsMax: 2 })
    expect(connections.show('web')).toMatchObject({ name: 'Web', description: 'sites', connectionsMax: 2, throttles })
    connections.edit('web', { throttles: throttles.slice(1) })
    expect(connections.show('web')).toMatchObject({ throttles: throttles.slice(1) })
    connections.remove('web', none)
    expect(() => connections.show('Web')).toThrow('There is no connection "Web": add it first')
  })

  const refused: [string, (parts: ReturnType<typeof opened>) => unknown, RegExp][] = [
    ['a name that is taken', ({ add }) => add({ name: 'WEB', kind: 'output' }), /already a connection "WEB"/],
    [
      'another connector',
      ({ connections }) => connections.edit('web', { settings: sitemap }),
      /uses the connector "Web site", which cannot be changed/,
    ],
    ['throttles of an output', ({ connections }) => connections.edit('files', { throttles: [] }), /only sources have/],
    ['an absent one', ({ connections }) => connections.edit('x', {}), /There is no connection "x"/],
    ['an absent one in a harvest', ({ created }) => created({ repositoryConnection: 'x' }), /no connection "x"/],
    ['an output as the source', ({ created }) => created({ repositoryConnection: 'files' }), /"files" is an output/],
    ['a source as the output', ({ created }) => created({ outputConnection: 'web' }), /"web" is a source/],
    [
      'a harvest whose seeds are not of its connector',
      ({ add, created }) => {
        add({ name: 'disk', settings: { connector: 'folder' } })
        created({ repositoryConnection: 'disk' })
      },
      /folder/,
    ],
    [
      'to remove one that a template names',
      ({ connections }) => connections.remove('web', (name) => [`of ${name}`]),
      /cannot be removed: the template of Web names it/,
    ],
  ]
  test.each(refused)('refuses %s', (_, act, problem) => {
    const parts = opened()
    parts.add({ name: 'Web' })
    parts.add({ name: 'files', kind: 'output' })
    expect(() => act(parts)).toThrow(problem)
    expect(parts.connections.list('output')).toHaveLength(1)
  })

  const wrong: [string, object, string][] = [
    ['no connection at once', { connectionsMax: 0 }, 'connectionsMax must be at least 1.'],
    [
      'a pattern in two throttles',
      { throttles: [throttles[1], { match: '^a\\.', connections: 1 }] },
      'throttles.1.match repeats the pattern of an earlier throttle.',
    ],
    ['a wrong pattern', { throttles: [{ match: '(', connections: 1 }] }, 'throttles.0.match is not a valid pattern.'],
    ['a throttle without a limit', { throttles: [{ match: 'a' }] }, 'throttles.0 must have a limit'],
  ]
  test.each(wrong)('refuses %s', (_, given, text) => {
    const { error } = connectionInput.safeParse({ kind: 'repository', name: 'a', ...given })
    expect(error && textOf(refusalOf(error, given))).toContain(text)
  })
})

describe('jobs of a connection', () => {
  test('have its settings, and are named when it cannot be removed', () => {
    const { add, connections, created, jobs } = opened()
    add({ name: 'Web', settings: sitemap })
    const first = created({ repositoryConnection: 'web' }, { name: 'News' })
    const second = created({ repositoryConnection: 'WEB' })
    expect(jobs.show(first).definition.connectors).toEqual({
      ...{ repository: sitemap, output: 'archive', repositoryConnection: 'Web' },
    })
    expect(connections.users('web', 9).map(({ job }) => job)).toEqual([second, first])
    expect(connections.users('web', 1)).toEqual([{ job: second, name: 'a.test' }])
    expect(connections.show('web').jobs).toBe(2)
    expect(() => connections.remove('Web', none)).toThrow(
      `The connection "Web" cannot be removed: 2 jobs use it: ${second} (a.test), ${first} (News).`,
    )
    expect(connections.show('web')).toMatchObject({ settings: sitemap })
  })

  test('continue with what is changed; a description changes nothing for them', () => {
    const { add, connections, created, jobs, store } = opened()
    add({ name: 'Web', settings: sitemap })
    const job = created({ repositoryConnection: 'web' })
    const row = () =>
      store
        .statement<{ job: number }, object>(
          `SELECT definition_version AS version, seeded_version AS seeded, seeding_version AS seeding FROM job WHERE id = @job`,
        )
        .get({ job })
    store.statement<object>(`UPDATE job SET seeding_version = 'x'`).run({})
    expect(connections.edit('web', { description: 'new' }).jobs).toEqual([])
    expect(row()).toEqual({ version: 0, seeded: 0, seeding: 'x' })
    expect(connections.edit('web', { connectionsMax: 1 }).jobs).toEqual([job])
    expect(row()).toEqual({ version: 1, seeded: 1, seeding: 'x' })
    // Other settings may lead to other documents: the next run checks everything.
    connections.edit('web', { settings: { connector: 'sitemap' } })
    expect(row()).toEqual({ version: 2, seeded: 2, seeding: null })
    expect(jobs.show(job).definition.connectors?.repository).toEqual({ connector: 'sitemap' })
  })

  test('can be given another connection, or settings of their own', () => {
    const { add, connections, created, jobs, store, world } = opened()
    add({ name: 'Web', settings: sitemap })
    const job = created({ repositoryConnection: 'web' }, { schedule: { records: [{}] } })
    const before = jobs.show(job).definition
    const { edit } = openDefinitions(store, world)
    expect(edit(job, before).changed).toEqual([])
    edit(job, { ...before, connectors: { repository: sitemap, output: 'archive' } })
    expect(connections.users('web', 9)).toEqual([])
    connections.remove('web', none)
    expect(jobs.show(job).definition.connectors).toEqual({ repository: sitemap, output: 'archive' })
  })
})

describe('the check of a connection', () => {
  const working = { isWorking: true, status: 'Connection working' }
  async function checked(parts: ReturnType<typeof opened>, name: string, more: Partial<CheckSetting> = {}) {
    const setting = {
      ...parts,
      archive: { places: [] },
      archiveFolders: [],
      folder: '/',
      settings: { freeBytesMin: 0 },
      ...more,
    }
    const { isWorking, status } = await parts.world.run(checkConnection(setting, parts.connections.stored(name)))
    return { isWorking, status: textOf(status) }
  }

  test('reports a connector that is not installed', async () => {
    const parts = opened()
    parts.add({ name: 'feeds', settings: { connector: 'feed' }, throttles })
    expect(await checked(parts, 'feeds')).toEqual(working)
    openConnectors(parts.store).deinstall('feed')
    expect(await checked(parts, 'feeds')).toMatchObject({
      ...{ isWorking: false, status: expect.stringMatching(/"Feed" is not installed\. Install it/) as string },
    })
  })

  test('reports replicas that cannot be used, and a full disk', async () => {
    const parts = opened()
    parts.add({ name: 'files', kind: 'output' })
    parts.add({ name: 'dry', kind: 'output', settings: { connector: 'null' } })
    expect(await checked(parts, 'files')).toEqual(working)
    const gone = { problem: async () => message('text', { text: 'The drive is not there.' }) }
    const places = [gone, { problem: async () => undefined }] as unknown as CheckSetting['archive']['places']
    const more = { archive: { places }, settings: { freeBytesMin: Infinity } }
    const { isWorking, status } = await checked(parts, 'files', more)
    expect(isWorking).toBe(false)
    expect(status).toMatch(/free.*The drive is not there\.$/s)
    expect(await checked(parts, 'dry', more)).toEqual(working)
  })

  test('reports folders of its jobs that do not exist', async () => {
    const parts = opened()
    parts.add({ name: 'disk', settings: { connector: 'folder' } })
    await parts.world.run(parts.world.disk.makeFolder('/papers'))
    const job = parts.created({ repositoryConnection: 'disk' }, { seeds: ['/papers', '/pictures'] })
    expect(await checked(parts, 'disk')).toEqual({
      ...{ isWorking: false, status: `The folder /pictures/ of job ${job} does not exist.` },
    })
    await parts.world.run(parts.world.disk.makeFolder('/pictures'))
    expect(await checked(parts, 'disk')).toEqual(working)
  })
})

describe('a connection in a metadata file', () => {
  test('is added to a database that does not have it, with its throttles', () => {
    const { add, store } = opened()
    add({ name: 'Web', throttles, connectionsMax: 3 })
    add({ name: 'files', kind: 'output' })
    const names = { repositoryConnection: 'Web', outputConnection: 'files' }
    const connectors = { ...usualConnectors, ...names }
    const recorded = recordedConnections(store, { connectors })
    const other = opened()
    restoreConnections(other.store, recorded)
    restoreConnections(other.store, recorded)
    expect(other.connections.show('web')).toMatchObject({ throttles, connectionsMax: 3 })
    expect(withUsableNames(other.store, { connectors })).toEqual({ connectors })
  })

  test('that is something else here loses its name in the definition', () => {
    const { add, store } = opened()
    add({ name: 'Web', settings: sitemap })
    const connectors = { repository: { connector: 'web' }, output: 'archive', repositoryConnection: 'Web' } as const
    expect(withUsableNames(store, { connectors })).toEqual({
      ...{ connectors: { repository: { connector: 'web' }, output: 'archive' } },
    })
  })
})
