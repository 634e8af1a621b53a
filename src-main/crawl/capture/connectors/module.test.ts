/** Sources that are modules of the user, in a real folder. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { harvestDefinition } from '../../../contract/services/definition.ts'
import { textOf } from '../../../contract/words/render.ts'
import { loadModule, type ChosenModule } from '../../../modules/userModule.ts'
import { realWorld } from '../../../world/real.ts'
import { detailText } from '../../model/detail.ts'
import { defaultCrawlSettings, type CrawlSettings } from '../../model/limits.ts'
import type { Fetching } from '../fetch/fetching.ts'
import { spoolIn } from '../fetch/spool.ts'
import type { RunFetching } from './connector.ts'
import { refuseUnusableModule } from './moduleCheck.ts'
import { module } from './module.ts'
import { readFromModule } from './moduleDocument.ts'
import { sourceFunctions, type UserSource } from './userSource.ts'

const folder = mkdtempSync(join(tmpdir(), 'loupe-module-'))
afterAll(() => rmSync(folder, { recursive: true }))
const world = realWorld()

/** Writes a module whose `read` has this body. */
function moduleOf(name: string, read: string, rest = ''): string {
  const path = join(folder, name)
  writeFileSync(path, `export default (settings) => ({ async read(url, { isList, signal }) { ${read} }, ${rest} })\n`)
  return path
}

const loaded = (module: ChosenModule) => loadModule<UserSource>(world.disk, module, sourceFunctions)

interface Asked {
  role?: 'page' | 'sitemap'
  settings?: Partial<CrawlSettings>
  signal?: AbortSignal
}

/** Reads `cms:one` with a module. */
async function read(path: string, { role = 'page', settings = {}, signal = new AbortController().signal }: Asked = {}) {
  const opened = await loaded({ path, settings: { site: 'here' }, archiveFolders: [] })
  const fetching = {
    ...{ world, signal, settings: { ...defaultCrawlSettings, ...settings } },
    newSpool: () => spoolIn(world, { folder, runId: 'run' }),
  } as Fetching
  return readFromModule({ url: 'cms:one', role }, opened, fetching)
}

/** The reason of a failure, and its detail. */
async function failureOf(path: string, asked?: Asked): Promise<[string, string]> {
  const outcome = await read(path, asked)
  if (outcome.kind !== 'failed') throw new Error('it was read')
  return [outcome.reason, detailText(outcome.detail)]
}

async function contentOf(path: string, asked?: Asked) {
  const outcome = await read(path, asked)
  if (outcome.kind !== 'local') throw new Error(JSON.stringify(outcome))
  const { mediaType, modifiedMs, version, outlinks, detail, response } = outcome
  const text = Buffer.from(await response.head(1_000)).toString()
  return { mediaType, modifiedMs, version, outlinks, detail: detail && detailText(detail), text }
}

test('a document has what the module says about it, and the module gets its settings', async () => {
  const path = moduleOf(
    'whole.mjs',
    `return { body: url + ' of ' + settings.site, mediaType: 'text/x-one', modified: new Date(5), version: 'v1' }`,
  )
  expect(await contentOf(path)).toEqual({
    ...{ text: 'cms:one of here', mediaType: 'text/x-one', modifiedMs: 5, version: 'v1', outlinks: [], detail: null },
  })
})

test('a body can come in pieces, and its media type is recognised', async () => {
  const path = moduleOf(
    'pieces.mjs',
    `return { body: (async function* () { yield Uint8Array.of(0x89, 0x50, 0x4e, 0x47); yield Uint8Array.of(13, 10, 26, 10) })() }`,
  )
  expect(await contentOf(path)).toMatchObject({ mediaType: 'image/png', modifiedMs: null, version: null })
})

test('a list has links, and reports those that are no URLs; a document has none', async () => {
  const links = `[{ url: 'cms:2', version: '7' }, { url: 'cms:3' }, { url: 'cms:more', isList: true }, { url: 'no' }]`
  const path = moduleOf('links.mjs', `return { body: isList ? 'list' : 'page', links: ${links} }`)
  expect(await contentOf(path, { role: 'sitemap' })).toMatchObject({
    text: 'list',
    outlinks: [
      { url: 'cms:2', kind: 'navigation', version: '7' },
      { url: 'cms:3', kind: 'navigation', version: null },
      { url: 'cms:more', kind: 'sitemap' },
    ],
    detail: '1 link is no URL and left out',
  })
  expect(await contentOf(path)).toMatchObject({ text: 'page', outlinks: [] })
})

const faults: [what: string, read: string, reason: string, detail: RegExp][] = [
  ['nothing', 'return undefined', 'notInSource', /cms:one/],
  ['an error', `throw new Error('the database is away')`, 'moduleFailed', /^the database is away$/],
  ['no object', 'return 7', 'moduleFailed', /what it returned cannot be used/],
  ['an unknown field', `return { text: 'x' }`, 'moduleFailed', /Unrecognized key: "text"/],
  [
    'a body of another type',
    'return { body: 7 }',
    'moduleFailed',
    /the body is neither a string nor bytes nor an async/,
  ],
  [
    'a piece of another type',
    'return { body: (async function* () { yield 7 })() }',
    'moduleFailed',
    /neither a string nor/,
  ],
  [
    'pieces that fail',
    `return { body: (async function* () { yield 'x'; throw new Error('torn') })() }`,
    'moduleFailed',
    /^torn$/,
  ],
]
test.each(faults)('%s is a failure of the document', async (what, body, reason, detail) => {
  const [found, text] = await failureOf(moduleOf(`${what.replaceAll(' ', '-')}.mjs`, body))
  expect(found).toBe(reason)
  expect(text).toMatch(detail)
})

test('a body without end is cut off at the limit, and the module is told', async () => {
  const path = moduleOf(
    'endless.mjs',
    `return { body: (async function* () { try { for (;;) yield 'x'.repeat(1000) } finally { globalThis.endlessEnded = true } })() }`,
  )
  expect(await failureOf(path, { settings: { responseBytesMax: 10_000 } })).toEqual([
    'moduleFailed',
    'the body is larger than 10,000 bytes, the most that is taken',
  ])
  expect(globalThis).toMatchObject({ endlessEnded: true })
})

test('a module that does not answer ends with the time limit, or when the job is stopped', async () => {
  const path = moduleOf('silent.mjs', `return new Promise(() => {})`)
  expect((await failureOf(path, { settings: { responseMsMax: 5 } }))[0]).toBe('timeout')
  expect((await failureOf(path, { signal: AbortSignal.abort(new Error('stopped')) }))[0]).toBe('jobStopped')
})

test('the module is told by its signal that its time is over', async () => {
  const path = moduleOf(
    'told.mjs',
    `await new Promise((resolve) => signal.addEventListener('abort', resolve)); return { body: 'late' }`,
  )
  expect((await failureOf(path, { settings: { responseMsMax: 5 } }))[0]).toBe('timeout')
})

test('the end of a run closes the source, and does not wait for one that hangs', async () => {
  const path = moduleOf(
    'closing.mjs',
    `return { body: 'x' }`,
    `close() { globalThis.closings = (globalThis.closings ?? 0) + 1; return new Promise(() => {}) }`,
  )
  const clock = { ...world.clock, sleep: (ms: number, signal?: AbortSignal) => world.clock.sleep(ms / 10_000, signal) }
  const definition = harvestDefinition.parse({
    seeds: ['cms:all'],
    connectors: { repository: { connector: 'module', module: path } },
  })
  const fetching = {
    ...{ world: { ...world, clock }, signal: new AbortController().signal, archiveFolders: [] },
    settings: { ...defaultCrawlSettings, responseMsMax: 2 ** 31 - 1 },
    newSpool: () => spoolIn(world, { folder, runId: 'run' }),
  } as unknown as RunFetching
  const unused = module.open({ definition, fetching })
  await unused.close?.()
  expect(globalThis).not.toHaveProperty('closings')
  const opened = module.open({ definition, fetching })
  const document = {
    id: 1,
    url: 'cms:one',
    role: 'page',
    hopPath: '',
    hops: 0,
    viaId: null,
    viaUrl: null,
    attempts: 1,
  } as const
  expect(await opened.fetch(document)).toMatchObject({ kind: 'local' })
  await opened.close?.()
  expect(globalThis).toMatchObject({ closings: 1 })
})

test.each([
  ['open', 'export default () => new Promise(() => {})'],
  ['close', 'export default () => ({ read() {}, close: () => new Promise(() => {}) })'],
])('a module that does not %s in time is refused', async (name, text) => {
  const path = join(folder, `hangs-${name}.mjs`)
  writeFileSync(path, text)
  const clock = { ...world.clock, sleep: (ms: number, signal?: AbortSignal) => world.clock.sleep(ms / 30_000, signal) }
  const place = { world: { ...world, clock }, archiveFolders: [] }
  await expect(refuseUnusableModule(place, { connector: 'module', module: path, settings: {} }, [])).rejects.toThrow(
    /it was not open within 30 seconds/,
  )
})

const unusable: [what: string, path: string, problem: RegExp][] = [
  ['a file of another kind', join(folder, 'a.txt'), /is no module/],
  ['a relative path', 'a.mjs', /is not an absolute path/],
  ['a missing file', join(folder, 'none.mjs'), /There is no file/],
  ['no default export', join(folder, 'empty.mjs'), /no default export that is a function/],
  ['no function read', join(folder, 'lacks.mjs'), /what it returns has no function read/],
  ['one that cannot be opened', join(folder, 'throws.mjs'), /no such site: here/],
  ['one that cannot be closed', join(folder, 'stays.mjs'), /the door is stuck/],
  ['one that is no JavaScript', join(folder, 'broken.mjs'), /cannot be used/],
]
writeFileSync(join(folder, 'empty.mjs'), 'export const a = 1\n')
writeFileSync(join(folder, 'lacks.mjs'), 'export default () => ({})\n')
writeFileSync(join(folder, 'throws.mjs'), `export default ({ site }) => { throw new Error('no such site: ' + site) }\n`)
writeFileSync(
  join(folder, 'stays.mjs'),
  `export default () => ({ read() {}, close() { throw new Error('the door is stuck') } })\n`,
)
writeFileSync(join(folder, 'broken.mjs'), 'export default ( =>\n')

test.each(unusable)('%s is refused before a harvest, and says why', async (_, path, problem) => {
  const source = { connector: 'module', module: path, settings: { site: 'here' } } as const
  const check = refuseUnusableModule({ world, archiveFolders: [] }, source, ['connectors', 'repository'])
  await expect(check).rejects.toThrow(problem)
  await expect(check).rejects.toMatchObject({ fields: [['connectors', 'repository', 'module']] })
})

test('a module in the archive is refused, and so it is when a job reads with it', async () => {
  const module = moduleOf('inside.mjs', `return { body: '' }`)
  const place = { world, archiveFolders: [folder] }
  await expect(refuseUnusableModule(place, { connector: 'module', module, settings: {} }, [])).rejects.toThrow(
    /Loupe runs nothing from an archive/,
  )
  const opened = await loaded({ path: module, settings: {}, archiveFolders: [folder] })
  expect('problem' in opened && textOf(opened.problem)).toMatch(/Loupe runs nothing from an archive/)
})
