/** `loupe tasks` for users and for scripts: what it lists, and how it refuses. */
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { madeAnswer } from '../../src-main/files/testing/recordFixtures.ts'
import { openJobs } from '../../src-main/crawl/crawl.ts'
import { jobMoves } from '../../src-main/crawl/jobs/jobMoves.ts'
import { openStore } from '../../src-main/storage/storage.ts'
import { realWorld } from '../../src-main/world/real.ts'
import { initArchive, loupeHere, startLoupe } from '../loupeProcess.ts'

let folder: string
let archive: string
const ask = (...words: string[]) => loupeHere('--archive', archive, ...words)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loupe-tasks-'))
  archive = await initArchive(join(folder, 'archive'))
  await mkdir(join(folder, 'from'))
  await writeFile(join(folder, 'from/a.warc'), madeAnswer('http://a.test/', 'a'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('an archive without tasks', async () => {
  expect(await ask('tasks')).toMatchObject({ code: 0, stdout: 'No tasks yet.\n' })
  expect(await ask('--json', 'tasks')).toMatchObject({ code: 0, stdout: '[]\n' })
})

test('exports and batch jobs share their numbers, and are listed with their results', async () => {
  expect((await ask('upload', join(folder, 'from'))).code).toBe(0)
  expect((await ask('export', '--all', '--format', 'warc', join(folder, 'all.warc.gz'))).code).toBe(0)
  expect((await ask('batch', 'checksums')).code).toBe(0)
  const { stdout } = await ask('--json', 'tasks')
  const listed = JSON.parse(stdout) as { task: number; kind: string; state: string; subject: { text: string } }[]
  const worked = listed.filter(({ kind }) => kind === 'export' || kind === 'batch')
  expect(worked.map(({ kind, state, subject }) => [kind, state, subject.text])).toEqual([
    ['batch', 'DONE', 'checksums, 1 file'],
    ['export', 'DONE', `everything in the archive to ${join(folder, 'all.warc.gz')}`],
  ])
  expect(listed.map(({ task }) => task)).toEqual(listed.map(({ task }) => task).toSorted((one, other) => other - one))
  const text = (await ask('tasks', '--kind', 'export')).stdout
  expect(text).toMatch(/^task +kind +state +started +files +bytes +time +subject\n *\d+ +export +done .* 1\/1 /)
})

test('refusals of an ended task, and of a kind without the action', async () => {
  const { stdout } = await ask('--json', 'tasks', '--kind', 'export', '--limit', '1')
  const [{ task } = { task: 0 }] = JSON.parse(stdout) as { task: number }[]
  const rows: [words: string[], code: number, stderr: RegExp][] = [
    [['stop', `${task}`], 4, /is not running: its state is "Done"/],
    [['pause', `${task}`], 4, /a task of this kind \(export\) cannot continue/],
    [['resume', `${task}`], 4, /a task of this kind \(export\) has to be started again/],
    [['stop', '99'], 3, /There is no task 99/],
    [['stop', 'first'], 2, /whole number/],
    [['--kind', 'crawl'], 2, /It must be one of .*export/],
  ]
  for (const [words, code, stderr] of rows) {
    const ended = await ask('tasks', ...words)
    expect([words, ended.code, ended.stderr]).toEqual([words, code, expect.stringMatching(stderr)])
  }
})

test('a killed task is listed as interrupted by the next command', async () => {
  const begun = join(folder, 'begun')
  await mkdir(begun)
  const module = join(folder, 'endless.mjs')
  await writeFile(
    module,
    `import { writeFileSync } from 'node:fs'
     export async function processFile() { writeFileSync(${JSON.stringify(join(begun, 'file'))}, ''); for (;;); }`,
  )
  const running = startLoupe(['--archive', archive, 'batch', module])
  while ((await readdir(begun)).length === 0) await new Promise(setImmediate)
  running.child.kill('SIGKILL')
  await running.ended
  expect((await ask('tasks', '--limit', '1')).stdout).toMatch(/batch job +interrupted .* 0\/1 .*endless, 1 file\n$/)
})

test('a resumed import waits for an engine: the command reports it and ends', async () => {
  const store = openStore(join(archive, 'loupe.db'))
  const world = realWorld()
  const job = openJobs(store, world).createImport([join(folder, 'from')])
  const move = jobMoves(store, world.clock)
  for (const event of ['startupTaken', 'seeded', 'pause', 'drained'] as const) move(job, event)
  store.close()
  const [{ task } = { task: 0 }] = JSON.parse((await ask('--json', 'tasks', '--limit', '1')).stdout) as {
    task: number
  }[]
  const idle = /^No Loupe is working on this archive: /
  expect(await ask('tasks')).toMatchObject({ code: 0, stderr: '' })
  const resumed = await ask('tasks', 'resume', `${task}`)
  expect(resumed).toMatchObject({ code: 0, stderr: expect.stringMatching(idle) as string })
  expect(resumed.stdout).toMatch(/ import +running: importing /)
  expect(await ask('tasks')).toMatchObject({ code: 0, stderr: expect.stringMatching(idle) as string })
})
