/** `loupe connections`, and harvests and templates that name a connection, in processes of their own. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { initArchive, loupeHere, loupeJson } from '../loupeProcess.ts'

let folder: string
let archive: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loupe-connections-'))
  archive = await initArchive(join(folder, 'archive'))
  await mkdir(join(folder, 'papers'))
  await writeFile(join(folder, 'papers/one.txt'), 'one')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const run = (...words: string[]) => loupeHere('--archive', archive, ...words)
const json = (...words: string[]) => loupeJson('--archive', archive, ...words)

test('a connection is added, shown, changed and removed', async () => {
  expect((await run('connections', 'list')).stdout).toContain('There are no connections')
  const words = ['--connector', 'sitemap', '--changed-since', '2026-01-31', '--max-connections', '4']
  const throttle = ['--throttle', '\\.example\\.org$=fetches:30,connections:1 # a slow server']
  expect(await json('connections', 'add', 'Press', ...words, ...throttle, '--description', 'papers')).toMatchObject({
    ...{ kind: 'repository', name: 'Press', connectionsMax: 4, description: 'papers' },
    settings: { connector: 'sitemap', changedSince: '2026-01-31' },
    throttles: [{ match: '\\.example\\.org$', description: 'a slow server', fetchesPerMinute: 30, connections: 1 }],
  })
  const shown = (await run('connections', 'show', 'press')).stdout
  expect(shown).toContain('Press: Sitemap (repository), at most 4 uses at once')
  expect(shown).toContain('Throttle \\.example\\.org$: 30 requests per minute, 1 request at once – a slow server')
  const edit = ['connections', 'edit', 'Press', '--max-connections', '1', '--clear', 'changed-since']
  expect(await json(...edit)).toMatchObject({
    ...{ connectionsMax: 1, description: 'papers', settings: { connector: 'sitemap' } },
    throttles: [{ description: 'a slow server' }],
  })
  expect(await json('connections', 'edit', 'Press', '--clear', 'throttle')).toMatchObject({ throttles: [] })
  await json('connections', 'add', 'Trial', '--connector', 'null')
  expect((await run('connections', 'list')).stdout).toMatch(/Press +repository +sitemap[\s\S]*Trial +output +null/)
  expect(await json('connections', 'list', '--kind', 'output')).toMatchObject([{ name: 'Trial', jobs: 0 }])
  expect((await run('connections', 'remove', 'press')).stdout).toContain('Connection press was removed.')
  expect((await run('connections', 'show', 'Press')).code).toBe(3)
})

const wrong: [words: string[], line: RegExp][] = [
  [['add', 'Trial', '--connector', 'web'], /already a connection "Trial"/],
  [['add', 'A', '--hidden'], /--hidden needs --connector folder/],
  [['add', 'A', '--max-connections', '5000'], /--max-connections must be at most 1000/],
  [['add', 'A', '--connector', 'null', '--throttle', 'a=3'], /only sources have throttles/],
  [['add', 'A', '--connector', 'sitemap', '--changed-since', 'monday'], /--changed-since must be a date such as/],
  [['add', 'A', '--throttle', 'a=3', '--throttle', 'a=4'], /--throttle repeats the pattern/],
  [['edit', 'Trial', '--clear', 'name'], /throttle, description, changed-since/],
]
test.each(wrong)('refuses: connections %s', async (words, line) => {
  const { code, stderr } = await run('connections', ...words)
  expect([code, stderr]).toEqual([2, expect.stringMatching(line)])
})

test('harvests name connections, which can then not be removed', async () => {
  await json('connections', 'add', 'Papers', '--connector', 'folder')
  const words = ['harvest', join(folder, 'papers'), '--connection', 'papers', '--output-connection', 'Trial']
  expect(JSON.parse((await run('--json', ...words, '--name', 'Old papers')).stdout)).toMatchObject({
    ...{ stopReason: 'DOWNLOAD_COMPLETE', files: [], documents: { fetched: 2, failed: 0 } },
  })
  const [{ job }] = (await json('jobs')) as [{ job: number }]
  expect((await run('connections', 'show', 'Papers')).stdout).toContain(`Job ${job}: Old papers (Done)`)
  for (const name of ['Papers', 'Trial']) {
    const { code, stderr } = await run('connections', 'remove', name)
    expect([code, stderr]).toEqual([4, expect.stringContaining(`the job ${job} (Old papers) uses it`)])
  }
  const both = await run('harvest', join(folder, 'papers'), '--connection', 'Papers', '--hidden')
  expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('--hidden cannot be given together with')])
  const absent = await run('harvest', 'https://a.example/', '--connection', 'Nowhere')
  expect([absent.code, absent.stderr]).toEqual([2, expect.stringContaining('There is no connection "Nowhere"')])

  // What no option names stays: the job keeps its source, and its output is changed.
  expect(await json('job', 'edit', String(job), '--output', 'archive')).toMatchObject({ changed: ['connectors'] })
  expect(await json('jobs', String(job))).toMatchObject({
    definition: {
      connectors: { repository: { connector: 'folder' }, repositoryConnection: 'Papers', output: 'archive' },
    },
  })
  await json('connections', 'remove', 'Trial')
})

test('connections are checked', async () => {
  expect((await run('connections', 'check', 'Papers')).stdout).toBe('Papers: Connection working\n')
  await json('connector', 'deinstall', 'folder')
  const { code, stdout } = await run('connections', 'check')
  expect([code, stdout]).toEqual([1, expect.stringMatching(/Papers: .*"Folder" is not installed/)])
  await json('connector', 'install', 'folder')
})

test('a template names a connection', async () => {
  await json('connections', 'add', 'Polite', '--max-connections', '1')
  const toml = join(folder, 'polite.toml')
  await writeFile(toml, '[connectors]\nrepositoryConnection = "Polite"\n')
  await json('templates', 'import', 'polite', toml)
  const removed = await run('connections', 'remove', 'Polite')
  expect([removed.code, removed.stderr]).toEqual([4, expect.stringContaining('the template polite names it')])
  await writeFile(toml, '[connectors]\nrepositoryConnection = "Nowhere"\n')
  const refused = await run('templates', 'import', 'polite', toml)
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('There is no connection "Nowhere"')])

  const { harvest } = (await json('harvests', 'add', 'Storm', '--kind', 'event')) as { harvest: number }
  const seeds = join(folder, 'seeds.txt')
  await writeFile(seeds, 'https://weather.example/\n')
  await json('harvests', 'add-seeds', String(harvest), seeds, '--template', 'polite')
  await run('harvests', 'activate', String(harvest))
  await run('harvests', 'run', String(harvest))
  expect(await json('connections', 'show', 'Polite')).toMatchObject({
    jobs: 1,
    users: [{ name: expect.stringContaining('Storm') as string }],
  })
})
