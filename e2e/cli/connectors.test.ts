/** `loupe connector`, and harvests of sources other than web sites, in processes of their own. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { initArchive, loupeHere } from '../loupeProcess.ts'

let folder: string
const run = (...words: string[]) => loupeHere('--archive', join(folder, 'archive'), '--json', ...words)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loupe-connector-words-'))
  await initArchive(join(folder, 'archive'))
  await mkdir(join(folder, 'papers'))
  await writeFile(join(folder, 'papers/one.txt'), 'one')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('connectors are listed, uninstalled and installed again', async () => {
  const listed = await run('connector', 'list')
  expect(listed.code).toBe(0)
  const rows = JSON.parse(listed.stdout) as { name: string; state: string; version: number }[]
  expect(rows.map(({ name }) => name)).toEqual(['web', 'sitemap', 'feed', 'folder', 'module', 'archive', 'null'])
  expect(rows.every(({ state, version }) => state === 'INSTALLED' && version === 1)).toBe(true)
  expect(JSON.parse((await run('connector', 'deinstall', 'feed')).stdout)).toMatchObject({ state: 'DEINSTALLED' })
  expect((await run('connector', 'list')).stderr).toMatch(/"Feed" is not installed\. Install it/)
  expect(JSON.parse((await run('connector', 'install', 'feed')).stdout)).toMatchObject({ state: 'INSTALLED' })
})

const wrong: [words: string[], line: RegExp, code?: number][] = [
  [['connector', 'install', 'gopher'], /no connector "gopher"\. The connectors are web, sitemap/, 3],
  [['harvest', 'https://a.example/', '--hidden'], /--hidden needs --connector folder/],
  [
    ['harvest', 'https://a.example/', '--connector', 'sitemap', '--changed-since', 'monday'],
    /--changed-since must be a date such as/,
  ],
  [['harvest', 'https://a.example/', '--connector', 'gopher'], /It must be one of web, sitemap, feed, folder/],
  [['harvest', 'cms:all', '--connector', 'module'], /--module/],
  [['harvest', 'cms:all', '--connector', 'module', '--module', 'none.mjs'], /There is no file .*none\.mjs/, 3],
  [['harvest', 'cms:all', '--connector', 'module', '--module', 'a.mjs', '--module-setting', 'x'], /"name=value"/],
]
test.each(wrong)('%s', async (words, line, wanted = 2) => {
  const { code, stdout, stderr } = await run(...words)
  expect(code).toBe(wanted)
  expect(JSON.parse(stdout)).toMatchObject({ error: { message: expect.stringMatching(line) as string } })
  expect(stderr).toMatch(line)
})

test('a folder is harvested, and a dry run of it stores nothing', async () => {
  const words = ['harvest', join(folder, 'papers'), '--connector', 'folder']
  const dry = JSON.parse((await run(...words, '--output', 'null')).stdout) as { documents: object; files: unknown[] }
  expect(dry).toMatchObject({ stopReason: 'DOWNLOAD_COMPLETE', files: [], documents: { fetched: 2, failed: 0 } })
  const kept = JSON.parse((await run(...words)).stdout) as { files: { name: string }[] }
  expect(kept).toMatchObject({ stopReason: 'DOWNLOAD_COMPLETE', documents: { fetched: 2, failed: 0 } })
  expect(kept.files).toHaveLength(2)
})

test('a module of the user is harvested; its path is relative to the current folder, and its settings can be changed', async () => {
  const module = join(folder, 'one.mjs')
  await writeFile(
    module,
    `export default ({ word }) => ({
       read: (url, { isList }) => (isList ? { links: [{ url: 'own:' + word }] } : { body: word, mediaType: 'text/plain' }),
     })`,
  )
  const words = ['harvest', 'own:all', '--connector', 'module', '--module', relative(process.cwd(), module)]
  const { code, stdout, stderr } = await run(...words, '--module-setting', 'word=first')
  expect([code, stderr]).toEqual([0, expect.any(String)])
  const harvested = JSON.parse(stdout) as { job: number }
  expect(harvested).toMatchObject({ stopReason: 'DOWNLOAD_COMPLETE', documents: { fetched: 2, failed: 0 } })
  const job = String(harvested.job)
  const definition = async () =>
    (JSON.parse((await run('jobs', job)).stdout) as { definition: { connectors: { repository: object } } }).definition
  expect((await definition()).connectors.repository).toEqual({
    connector: 'module',
    module,
    settings: { word: 'first' },
  })
  expect((await run('job', 'edit', job, '--module-setting', 'word=second')).code).toBe(0)
  expect((await definition()).connectors.repository).toEqual({
    connector: 'module',
    module,
    settings: { word: 'second' },
  })
  expect((await run('job', 'edit', job, '--max-bytes', '1GB')).code).toBe(0)
  expect((await definition()).connectors.repository).toEqual({
    connector: 'module',
    module,
    settings: { word: 'second' },
  })
})

test('a connection with a module is checked by loading it', async () => {
  const module = join(folder, 'two.mjs')
  await writeFile(module, 'export default () => ({ read: () => ({}) })')
  const add = ['connections', 'add', 'CMS', '--connector', 'module', '--module', module]
  expect((await run(...add)).code).toBe(0)
  expect((await run('connections', 'check', 'CMS')).code).toBe(0)
  const edit = async (...words: string[]) =>
    (JSON.parse((await run('connections', 'edit', 'CMS', ...words)).stdout) as { settings: object }).settings
  expect(await edit('--module-setting', 'site=a')).toEqual({ connector: 'module', module, settings: { site: 'a' } })
  expect(await edit('--description', 'ours')).toMatchObject({ settings: { site: 'a' } })
  expect(await edit('--clear', 'module-setting')).toMatchObject({ settings: {} })
  await writeFile(module, 'export const nothing = 1')
  const { code, stdout } = await run('connections', 'check', 'CMS')
  expect([code, stdout]).toEqual([1, expect.stringContaining('no default export that is a function')])
})
