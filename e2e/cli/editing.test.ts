/** `loupe job edit`: the given values are changed, the others stay, and a change that is not possible is
 *  refused with the reason. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { initArchive, loupeHere } from '../loupeProcess.ts'

let folder: string
const run = (...words: string[]) => loupeHere('--archive', join(folder, 'archive'), '--json', ...words)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loupe-editing-words-'))
  await initArchive(join(folder, 'archive'))
  await writeFile(join(folder, 'nights.json'), JSON.stringify({ hours: [2] }))
  const whole = {
    seeds: ['http://whole.test/'],
    scope: 'domain',
    recheck: { type: 'continuous' },
    schedule: { records: [{ hours: [4] }] },
  }
  await writeFile(join(folder, 'whole.json'), JSON.stringify(whole))
  const words = ['--schedule', join(folder, 'nights.json'), '--max-objects', '5', '--exclude', 'one', '--name', 'Mine']
  expect((await run('harvest', 'http://a.test/', ...words)).code).toBe(0)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function definition(): Promise<Record<string, unknown>> {
  return (JSON.parse((await run('jobs', '1')).stdout) as { definition: Record<string, unknown> }).definition
}

/** Applied one after the other to one job. */
const edits: [words: string[], changed: string[], then: object][] = [
  [['--max-hops', '3', '--delay-ms', '7'], ['maxHops', 'delayMs'], { maxHops: 3, maxObjects: 5, exclude: ['one'] }],
  [['http://b.test', 'http://c.test/x'], ['seeds'], { seeds: ['http://b.test/', 'http://c.test/x'], name: 'Mine' }],
  [['--exclude', 'two', '--exclude', 'three'], ['exclude'], { exclude: ['two', 'three'] }],
  [['--clear', 'max-hops', '--clear', 'name'], ['name', 'maxHops'], { delayMs: 7 }],
  [['--continuous', '--interval', '12h'], ['recheck'], { recheck: { type: 'continuous', intervalSeconds: 43_200 } }],
  [['--expiry', '7d'], ['recheck'], { recheck: { intervalSeconds: 43_200, expirySeconds: 604_800 } }],
  [['--output', 'null'], ['connectors'], { connectors: { repository: { connector: 'web' }, output: 'null' } }],
  [['--connector', 'feed', '--older-parts'], ['connectors'], { connectors: { repository: { connector: 'feed', olderParts: true }, output: 'null' } }], // prettier-ignore
  [['--hop-limit', 'redirect=5', '--throttle', 'b.test$=30'], ['hops', 'throttle'], { hops: { limits: { redirect: 5 } } }], // prettier-ignore
  [['--hop-mode', 'noDelete'], ['hops'], { hops: { mode: 'noDelete', limits: { redirect: 5 } } }],
  [['--delay-ms', '7'], [], { delayMs: 7 }],
]
test('the named fields change and the others stay', async () => {
  for (const [words, changed, then] of edits) {
    const { code, stdout, stderr } = await run('job', 'edit', '1', ...words)
    expect({ words, code, stderr }).toEqual({ words, code: 0, stderr: '' })
    const edited = JSON.parse(stdout) as { job: number; changed: string[]; holds: string }
    expect(edited).toMatchObject({ job: 1, holds: 'nextRun' })
    expect(edited.changed.toSorted()).toEqual(changed.toSorted())
    expect(await definition(), words.join(' ')).toMatchObject(then)
  }
  expect(await definition()).not.toHaveProperty('maxHops')
  const { stdout } = await loupeHere('--archive', join(folder, 'archive'), 'job', 'edit', '1', '--definition', join(folder, 'whole.json')) // prettier-ignore
  expect(stdout).toMatch(/^Job 1: changed seeds, .*scope.*; this applies from its next run on\.\n$/)
  expect(await definition()).toMatchObject({ seeds: ['http://whole.test/'], scope: 'domain', exclude: [] })
  // The printed definition of a job can be changed and passed back.
  await writeFile(
    join(folder, 'printed.json'),
    (await run('jobs', '1')).stdout.replaceAll('whole.test', 'printed.test'),
  )
  await run('job', 'edit', '1', '--definition', join(folder, 'printed.json'))
  expect(await definition()).toMatchObject({ seeds: ['http://printed.test/'], scope: 'domain' })
})

const wrong: [words: string[], code: number, line: RegExp][] = [
  [['1'], 2, /No change was given/],
  [['9', '--max-hops', '1'], 3, /There is no job 9/],
  [['1', '--clear', 'seeds'], 2, /--clear seeds: it must be one of name, scope/],
  [['1', '--clear', 'max-hobs'], 2, /it must be one of name, scope/],
  [['1', 'mailto:a@b'], 2, /mailto:a@b/],
  [['1', '--hidden'], 2, /--hidden needs --connector folder/],
  [['1', '--max-hops', 'many'], 2, /whole number/],
  [['1', '--definition', 'no-such.json'], 3, /There is no file no-such\.json/],
]
test.each(wrong)('job edit %s', async (words, code, line) => {
  const before = words[0] === '1' ? await definition() : undefined
  const printed = await run('job', 'edit', ...words)
  expect(printed.code).toBe(code)
  expect(JSON.parse(printed.stdout)).toMatchObject({ error: { message: expect.stringMatching(line) as string } })
  expect(printed.stderr).toMatch(line)
  if (before) expect(await definition()).toEqual(before)
})

test('a run in progress accepts what it can, and reports what it cannot', async () => {
  // No engine is running: the job is marked as started, which cannot be undone.
  await run('job', 'start', '1')
  expect(JSON.parse((await run('job', 'edit', '1', '--max-objects', '9')).stdout)).toMatchObject({ holds: 'now' })
  expect((await run('job', 'edit', '1', '--max-objects', '8')).stderr).toMatch(/No Loupe is working on this archive/)
  await run('job', 'abort', '1')
  const refused = await run('job', 'edit', '1', '--max-objects', '9')
  expect(refused.code).toBe(4)
  expect(refused.stderr).toMatch(/Job 1 cannot be changed now: its run is ending/)
})
