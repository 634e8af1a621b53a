/** `loupe connector`, and harvests of sources other than web sites, in processes of their own. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
  expect(rows.map(({ name }) => name)).toEqual(['web', 'sitemap', 'feed', 'folder', 'archive', 'null'])
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
