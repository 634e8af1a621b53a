/** Ctrl-C, and commands that run next to an engine. No test depends on timing: they only wait for lines and ends. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { askOver } from '../../src-main/viewer/testing/viewerFixture.ts'
import { initArchive, loupeHere, startLoupe } from '../loupeProcess.ts'
import { startManyPages, type ManyPages } from '../sites/manyPages.ts'
import { harvestOf } from './harvested.ts'

let site: ManyPages
let folder: string

beforeAll(async () => {
  site = await startManyPages(60)
  folder = await mkdtemp(join(tmpdir(), 'loupe-stop-'))
})
afterAll(async () => {
  await site.close()
  await rm(folder, { recursive: true, force: true })
})

/** The pause between two requests keeps the harvest running as long as needed. */
const slowly = () => harvestOf(site, '--delay-ms', '3600000')

test('harvest: Ctrl-C stops it, and the same command continues', async () => {
  const archive = await initArchive(join(folder, 'harvest'))
  const words = ['--archive', archive, '--json', ...harvestOf(site, '--delay-ms', '15')]
  const first = startLoupe(words)
  await first.line(/Job 1 harvests/, 'stderr')
  first.child.kill('SIGINT')
  expect(await first.ended).toMatchObject({ code: 130, stdout: '' })
  const stopped = await loupeHere('--archive', archive, '--json', 'jobs')
  expect(JSON.parse(stopped.stdout)).toMatchObject([{ job: 1, status: 'Not running', stopReason: null }])
  for (const verb of [['jobs'], ['jobs', '1'], ['queue', '1']]) {
    const shown = await loupeHere('--archive', archive, ...verb)
    expect(shown.stdout).not.toMatch(/Running|being handed out/)
    expect(`${shown.stdout}${shown.stderr}`).toMatch(
      /(No Loupe (works|is working)|Loupe is not running) on this archive/,
    )
  }
  expect((await loupeHere('--archive', archive, 'jobs', '--state', 'Running')).stdout).toBe('No job is Running.\n')
  const second = await loupeHere(...words)
  expect(second.stderr).toContain('Job 1 continues')
  expect(second.code, second.stderr).toBe(0)
  expect(JSON.parse(second.stdout)).toMatchObject({ job: 1, documents: { fetched: site.urls.length } })
})

test('preserve: Ctrl-C stops it, and the same command continues', async () => {
  const archive = await initArchive(join(folder, 'preserve'))
  await loupeHere('--archive', archive, 'settings', 'set', 'harvest.fileBytesMax', '1000')
  expect((await loupeHere('--archive', archive, ...harvestOf(site))).code).toBe(0)
  const words = ['--archive', archive, '--json', 'preserve', 'checksums']
  const first = startLoupe(words)
  const begun = await first.line(/Check \d+ \(checksum check\) checks/, 'stderr')
  const number = Number(/Check (\d+)/.exec(begun)?.[1])
  first.child.kill('SIGINT')
  const stopped = await first.ended
  expect(stopped.code, stopped.stderr).toBe(130)
  expect(stopped.stdout).toBe('')
  // A different check in between does not affect the progress of the first.
  expect((await loupeHere(...words, '--files', 'warc')).code).toBe(0)
  const second = await loupeHere(...words)
  expect(second.stderr).toMatch(new RegExp(`Check ${number} \\(checksum check\\) continues after [\\d,]+ of `))
  expect(second.code).toBe(0)
  const { filesTotal } = z.object({ filesTotal: z.number() }).parse(JSON.parse(second.stdout))
  expect(JSON.parse(second.stdout)).toMatchObject({ task: number, filesDone: filesTotal, findings: [] })
})

test('serve: other commands go through it, a second one is refused, and Ctrl-C ends it', async () => {
  const archive = await initArchive(join(folder, 'serve'))
  const serving = startLoupe(['--archive', archive, '--json', 'serve'])
  const served = z.strictObject({
    url: z.url(),
    publicUrl: z.null(),
    proxy: z.string(),
    rewritten: z.url(),
    commandProxy: z.url(),
  })
  const { url, proxy } = served.parse(JSON.parse(await serving.line(/"url"/)))
  const rows: [words: string[], code: number, stderr: RegExp][] = [
    [['serve'], 5, /^Another Loupe has the archive .* open/],
    [['view', '--jobs', '1'], 5, /^Another Loupe has the archive .* open/],
    [['jobs'], 0, /^$/],
    [['preserve', 'missing'], 0, /^Check \d+ /],
    [['settings', 'set', 'harvest.workers', '4'], 0, /next start/],
    [['get-metadata', '1'], 3, /^There is no job 1\.$/m],
  ]
  for (const [words, code, stderr] of rows) {
    const ended = await loupeHere('--archive', archive, ...words)
    expect([words.join(' '), ended.code]).toEqual([words.join(' '), code])
    expect(ended.stderr).toMatch(stderr)
  }
  const other = await initArchive(join(folder, 'other'))
  for (const [words, port] of [
    [['serve', '--port'], new URL(url).port],
    [['serve', '--port'], proxy.split(':')[1]],
  ] as const) {
    const ended = await loupeHere('--archive', other, ...words, port ?? '')
    expect(ended).toMatchObject({
      code: 4,
      stdout: '',
      stderr: expect.stringMatching(`^Port ${port} is taken`) as string,
    })
  }
  serving.child.kill('SIGINT')
  expect((await serving.ended).code).toBe(130)
})

test('a harvest next to serve runs there, and is paused, resumed and stopped from a third command', async () => {
  const archive = await initArchive(join(folder, 'next-to-serve'))
  const serving = startLoupe(['--archive', archive, '--json', 'serve'])
  await serving.line(/"url"/)
  const harvesting = startLoupe(['--archive', archive, '--json', ...slowly()])
  await harvesting.line(/Job 1 harvests.*the Loupe that has the archive open/, 'stderr')
  await reached(archive, 'ACTIVE')
  const act = async (action: string): Promise<unknown> => {
    const { code, stdout, stderr } = await loupeHere('--archive', archive, '--json', 'job', action, '1')
    expect(code, stderr).toBe(0)
    return JSON.parse(stdout)
  }
  expect(await act('pause')).toEqual({ job: 1, from: 'ACTIVE', to: 'PAUSING' })
  await harvesting.line(/Job 1 is paused/, 'stderr')
  expect(await act('resume')).toEqual({ job: 1, from: 'PAUSED', to: 'RESUMING' })
  await reached(archive, 'ACTIVE')
  expect(await act('abort')).toEqual({ job: 1, from: 'ACTIVE', to: 'ABORTING' })
  expect(JSON.parse((await harvesting.ended).stdout)).toMatchObject({
    state: 'INACTIVE',
    stopReason: 'DOWNLOAD_UNFINISHED',
  })
  serving.child.kill('SIGTERM')
  expect((await serving.ended).code).toBe(130)
})

test('job restart ends the current run and starts the next, full or minimal', async () => {
  const archive = await initArchive(join(folder, 'restart'))
  const serving = startLoupe(['--archive', archive, '--json', 'serve'])
  await serving.line(/"url"/)
  const harvesting = startLoupe(['--archive', archive, '--json', ...slowly()])
  await reached(archive, 'ACTIVE')
  harvesting.child.kill('SIGINT')
  expect((await harvesting.ended).stderr).toContain('continues in the Loupe that has the archive open')
  const restarted = async (...words: string[]): Promise<unknown> => {
    const { code, stdout, stderr } = await loupeHere('--archive', archive, '--json', 'job', 'restart', '1', ...words)
    expect(code, stderr).toBe(0)
    return JSON.parse(stdout)
  }
  expect(await restarted()).toEqual({ job: 1, from: 'ACTIVE', to: 'ABORTINGFORRESTART' })
  await reached(archive, 'ACTIVE')
  expect(await restarted('--minimal')).toEqual({ job: 1, from: 'ACTIVE', to: 'ABORTINGFORRESTARTMINIMAL' })
  await reached(archive, 'ACTIVE')
  await loupeHere('--archive', archive, 'job', 'abort', '1')
  await reached(archive, 'INACTIVE')
  const refused = await loupeHere('--archive', archive, 'job', 'restart', '1')
  expect([refused.code, refused.stderr]).toEqual([4, expect.stringContaining('restarted')])
  serving.child.kill('SIGTERM')
  expect((await serving.ended).code).toBe(130)
})

test('view: prints its address, and Ctrl-C ends it', async () => {
  const archive = await initArchive(join(folder, 'view'))
  await loupeHere('--archive', archive, ...harvestOf(site, '--max-objects', '3'))
  const viewing = startLoupe(['--archive', archive, '--json', 'view', '--jobs', '1'])
  const served = z.strictObject({
    proxy: z.string(),
    rewritten: z.url(),
    certificate: z.string(),
    commandHost: z.string(),
    commandProxy: z.url(),
  })
  const said = served.parse(JSON.parse(await viewing.line(/"proxy"/)))
  const taken = await loupeHere(
    '--archive',
    join(folder, 'harvest'),
    'view',
    '--jobs',
    '1',
    '--port',
    said.proxy.split(':')[1] ?? '',
  )
  expect(taken).toMatchObject({
    code: 4,
    stderr: expect.stringMatching(/^Port \d+ of the viewer is in use by another program/) as string,
  })
  expect(await isExact(said)).toBe(false)
  const change = (proxy: string) => {
    const { hostname: host, port, username: user, password } = new URL(proxy)
    const command = `http://${said.commandHost}/changeIndex?jobID=1&label=one&exact=true&returnURL=${site.origin}/`
    return askOver({ host, port: Number(port) }, command, user === '' ? {} : { as: { user, password } })
  }
  expect([(await change(`http://${said.proxy}`)).status, await isExact(said)]).toEqual([403, false])
  expect([(await change(said.commandProxy)).status, await isExact(said)]).toEqual([303, true])
  viewing.child.kill('SIGINT')
  const ended = await viewing.ended
  expect([ended.code, ended.stdout.trim().split('\n').length]).toEqual([130, 1])
  const exactly = startLoupe(['--archive', archive, '--json', 'view', '--jobs', '1', '--exact'])
  expect(await isExact(served.parse(JSON.parse(await exactly.line(/"proxy"/))))).toBe(true)
  exactly.child.kill('SIGINT')
  expect((await exactly.ended).code).toBe(130)
})

test('remains of a killed engine do not count as a running engine', async () => {
  const archive = join(folder, 'harvest')
  await writeFile(join(archive, 'engine.json'), JSON.stringify({ origin: 'http://127.0.0.1:1', token: 'x', pid: 1 }))
  expect((await loupeHere('--archive', archive, 'jobs')).code).toBe(0)
})

/** Whether the viewing is exact, from its status. */
async function isExact({ proxy, commandHost }: { proxy: string; commandHost: string }): Promise<boolean> {
  const { hostname: host, port } = new URL(`http://${proxy}`)
  const { body } = await askOver({ host, port: Number(port) }, `http://${commandHost}/getStatus?format=json`)
  return z.object({ view: z.object({ isExact: z.boolean() }) }).parse(JSON.parse(body.toString())).view.isExact
}

async function reached(archive: string, state: string): Promise<void> {
  for (;;) {
    const { stdout } = await loupeHere('--archive', archive, '--json', 'jobs')
    const [job] = z.array(z.object({ state: z.string() })).parse(JSON.parse(stdout))
    if (job?.state === state) return
  }
}
