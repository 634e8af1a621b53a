/** The options of `loupe harvest` for schedules and for visiting pages again, each in a real harvest: their effect on the requests to
 *  the site and on the pages that are kept. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { initArchive, loupeHere, startLoupe } from '../loupeProcess.ts'
import { linksTo, startChanging, type Changing } from '../sites/changing.ts'
import { harvestOf } from './harvested.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loupe-again-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const site = (): Promise<Changing> =>
  startChanging({ '/': { body: linksTo('/a', '/b') }, '/a': { body: 'a' }, '/b': { body: 'b' } })

const timesOf = ({ asked }: Changing, path: string) => asked.filter((each) => each.split(' ')[1] === path).length

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 50))
}

async function shown(archive: string): Promise<Record<string, unknown>> {
  const { stdout, stderr } = await loupeHere('--archive', archive, '--json', 'jobs', '1')
  if (stdout === '') throw new Error(stderr)
  return JSON.parse(stdout) as Record<string, unknown>
}

test('--schedule: the job waits, shows for what, and starts when Loupe runs in its window', async () => {
  const it = await site()
  const archive = await initArchive(join(folder, 'scheduled'))
  const file = join(folder, 'any.json')
  await writeFile(
    file,
    JSON.stringify({ startMethod: 'WINDOWINSIDE', records: [{ minutes: 'any', durationMinutes: 600 }] }),
  )
  const given = await loupeHere('--archive', archive, '--json', ...harvestOf(it, '--schedule', file))
  expect(given.code, given.stderr).toBe(0)
  expect(given.stderr).toContain('schedules run only while one is running')
  expect(JSON.parse(given.stdout)).toMatchObject({ job: 1, state: 'INACTIVE', status: 'Not yet run' })
  expect(it.asked).toEqual([])
  expect((await loupeHere('--archive', archive, 'jobs', '1')).stdout).toMatch(/^now +Next run: /m)
  const serving = startLoupe(['--archive', archive, '--json', 'serve'])
  await serving.line(/"url"/)
  await until(async () => (await shown(archive))['status'] === 'Done')
  expect(await shown(archive)).toMatchObject({ stopReason: 'DOWNLOAD_COMPLETE', documents: { fetched: 4 } })
  serving.child.kill('SIGINT')
  expect((await serving.ended).code).toBe(130)
  await it.close()
})

/** The addresses on the list of the job, from the report of documents. */
async function listed(archive: string): Promise<string[]> {
  const { stdout, stderr } = await loupeHere(
    '--archive',
    archive,
    'history',
    '--report',
    'documents',
    '--job',
    '1',
    '--csv',
  )
  if (stdout === '') throw new Error(stderr)
  return [...stdout.matchAll(/http:\/\/changing\.test(\/[^",\s]*)/g)].map(([, path = '']) => path).toSorted()
}

test('--continuous: it rechecks until it is stopped, and the same command continues it', async () => {
  const it = await site()
  const archive = await initArchive(join(folder, 'continuous'))
  const spans = ['--interval', '1s', '--interval-max', '2s', '--expiry', '1d', '--reseed', '3s']
  const modes = ['--patience', 'long', '--on-hard-failure', 'abort', '--gone', 'keep']
  const words = ['--archive', archive, '--json', ...harvestOf(it, '--continuous', ...spans, ...modes)]
  const first = startLoupe(words)
  await until(() => timesOf(it, '/a') > 2)
  expect(await shown(archive)).toMatchObject({
    definition: {
      recheck: {
        ...{ type: 'continuous', intervalSeconds: 1, intervalSecondsMax: 2, expirySeconds: 86_400, reseedSeconds: 3 },
        ...{ patience: 'long', onHardFailure: 'abort', gone: 'keep' },
      },
    },
  })
  first.child.kill('SIGINT')
  expect((await first.ended).code).toBe(130)
  const before = timesOf(it, '/a')
  const second = startLoupe(words)
  await second.line(/Job 1 continues/, 'stderr')
  await until(() => timesOf(it, '/a') > before + 1)
  expect((await loupeHere('--archive', archive, 'job', 'abort', '1')).code).toBe(0)
  expect(JSON.parse((await second.ended).stdout)).toMatchObject({ stopReason: 'DOWNLOAD_UNFINISHED' })
  await it.close()
})

test('--interval never, --expiry, --reseed never: no page is rechecked, and pages leave the list', async () => {
  const it = await site()
  const archive = await initArchive(join(folder, 'expiring'))
  const spans = ['--interval', 'never', '--expiry', '2s', '--reseed', 'never']
  const running = startLoupe(['--archive', archive, ...harvestOf(it, '--continuous', ...spans)])
  await running.line(/Job 1 harvests/, 'stderr')
  await until(() => timesOf(it, '/b') > 0)
  await until(async () => (await listed(archive)).join() === '/robots.txt')
  expect([timesOf(it, '/'), timesOf(it, '/a'), timesOf(it, '/b')]).toEqual([1, 1, 1])
  running.child.kill('SIGINT')
  expect((await running.ended).code).toBe(130)
  await it.close()
})

test.each<[gone: string, left: string[]]>([
  ['keep', ['/', '/a', '/b', '/robots.txt']],
  ['atOnce', ['/', '/a', '/robots.txt']],
  ['atEnd', ['/', '/a', '/robots.txt']],
])('--gone %s: what remains after a further run', async (gone, left) => {
  const it = await site()
  const archive = await initArchive(join(folder, `gone-${gone}`))
  const first = await loupeHere('--archive', archive, '--json', ...harvestOf(it, '--gone', gone))
  expect(first.code, first.stderr).toBe(0)
  expect(await listed(archive)).toEqual(['/', '/a', '/b', '/robots.txt'])
  it.pages.set('/', { body: linksTo('/a') })
  expect((await loupeHere('--archive', archive, 'job', 'start', '1')).code).toBe(0)
  const serving = startLoupe(['--archive', archive, '--json', 'serve'])
  await serving.line(/"url"/)
  await until(async () => timesOf(it, '/') === 2 && (await shown(archive))['state'] === 'INACTIVE')
  expect(await listed(archive)).toEqual(left)
  serving.child.kill('SIGINT')
  expect((await serving.ended).code).toBe(130)
  await it.close()
})
