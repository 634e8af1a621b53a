/** The commands of harvest definitions, as a user types them. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { initArchive, loupeHere, loupeJson } from '../loupeProcess.ts'

let folder: string
let archive: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loupe-harvests-'))
  archive = await initArchive(join(folder, 'archive'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const run = (...words: string[]) => loupeHere('--archive', archive, ...words)
const json = (...words: string[]) => loupeJson('--archive', archive, ...words)
async function file(name: string, text: string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, text)
  return path
}

describe('domains', () => {
  test('are added from a file, and every line that is none is named', async () => {
    const list = await file('domains.txt', '# ours\nexample.org\nhttps://www.example.com/about\nnot a domain\n')
    const added = await run('domains', 'import', list)
    expect(added.code).toBe(1)
    expect(added.stdout).toContain('2 domains added, 0 known before, 1 line refused.')
    expect(added.stderr).toContain('Line 4: "not a domain" is not a domain name or URL.')
    expect((await run('domains', 'export')).stdout).toBe('example.com\nexample.org\n')
  })

  test('are changed: limits, seeds, crawler traps, aliases', async () => {
    const traps = await file('traps.txt', '# endless\n/calendar/\n')
    const seeds = await file('seeds.txt', 'https://example.org/news\n')
    const words = ['--max-objects', '50', '--max-bytes', '2GB', '--traps', traps, '--seeds', seeds]
    expect(await json('domains', 'edit', 'www.example.org', ...words)).toMatchObject({
      ...{ domain: 'example.org', traps: ['/calendar/'] },
      configurations: [{ objectsMax: 50, bytesMax: 2_000_000_000 }],
      seedLists: [{ name: 'default', seeds: 'https://example.org/news\n' }],
    })
    await json('domains', 'edit', 'example.com', '--alias-of', 'example.org')
    expect((await run('domains', 'show', 'example.org')).stdout).toContain('Aliases: example.com')
    expect(await json('domains', 'edit', 'example.com', '--no-alias')).toMatchObject({ alias: null })
    const unknown = await run('domains', 'show', 'example.net')
    expect([unknown.code, unknown.stderr]).toEqual([3, expect.stringContaining('There is no domain example.net.')])
  })
})

test('templates are imported, and every problem of a file is named', async () => {
  const wrong = await file('wrong.toml', 'scoop = "host"\ndelayMs = "fast"\nexclude = ["("]\n')
  const refused = await run('templates', 'import', 'careful', wrong)
  expect(refused.code).toBe(2)
  for (const problem of [/scoop .* did you mean scope/, /delayMs must be a/, /exclude\.0 is not a valid pattern/])
    expect(refused.stderr).toMatch(problem)
  const toml = await file('careful.toml', '# slowly\ndelayMs = 5000\n')
  expect((await run('templates', 'import', 'careful', toml)).stdout).toContain(
    'Template careful, version 1, was stored.',
  )
  expect((await run('templates', 'show', 'careful')).stdout).toBe('# slowly\ndelayMs = 5000\n')
  await json('templates', 'import', 'careful', await file('slower.toml', 'delayMs = 9000\n'))
  expect((await run('templates', 'show', 'careful', '--version-number', '1')).stdout).toContain('5000')
  expect((await run('templates', 'remove', 'default')).code).toBe(4)
})

test('schedules have an interval and an exact time', async () => {
  const words = ['--every', 'week', '--at', 'mon 04:00', '--time-zone', 'Europe/Berlin']
  expect((await run('schedules', 'add', 'Mondays', ...words)).stdout).toContain(
    'Mondays: every week on Monday at 04:00 (Europe/Berlin)',
  )
  expect((await run('schedules', 'list')).stdout).toMatch(/Hourly[\s\S]*Daily[\s\S]*Weekly[\s\S]*Monthly[\s\S]*Mondays/)
  const exported = await run('schedules', 'export', 'Mondays')
  await json(
    'schedules',
    'import',
    await file(
      'tuesdays.json',
      exported.stdout.replace('Mondays', 'Tuesdays').replace('"dayOfWeek": 1', '"dayOfWeek": 2'),
    ),
  )
  expect((await run('schedules', 'show', 'Tuesdays')).stdout).toContain(
    'every week on Tuesday at 04:00 (Europe/Berlin)',
  )
  const wrong: [words: string[], problem: RegExp][] = [
    [['--every', 'fortnight'], /It must be an interval such as hour/],
    [['--every', 'day', '--at', 'noon'], /It must be a time such as/],
    [['--every', 'day', '--at', 'mon 04:00'], /exactly the parts of the unit/],
    [['--at', '04:00'], /A schedule needs an interval/],
  ]
  for (const [given, problem] of wrong) {
    const { code, stderr } = await run('schedules', 'add', 'Wrong', ...given)
    expect([code, stderr]).toEqual([2, expect.stringMatching(problem)])
  }
})

test('a harvest is added, run, explained, exported and removed', async () => {
  const words = ['--schedule', 'Mondays', '--domain', 'example.org', '--domain', 'example.com', '--max-objects', '20']
  const { harvest } = (await json('harvests', 'add', 'News', ...words)) as { harvest: number }
  const number = String(harvest)
  expect((await run('harvests', 'list')).stdout).toMatch(/News +selective +inactive/)
  expect((await run('harvests', 'activate', number)).stdout).toContain('next run: ')
  const generated = await run('harvests', 'run', number)
  // The two domains have different limits of bytes.
  const { stdout, stderr } = generated
  const [, first = ''] = /^Run 1: 2 jobs: (\d+), \d+$/m.exec(stdout) ?? []
  expect(stderr).toContain('Loupe is not running on this archive.')
  expect(await json('harvests', 'jobs', '--domain', 'example.org')).toMatchObject([
    { job: Number(first), status: 'NEW', configurations: 1, objectsMax: 20, bytesMax: 2_000_000_000 },
  ])
  const errors = await run('harvests', 'errors', first)
  expect([errors.code, errors.stdout]).toEqual([0, `Job ${first} has no errors.\n`])
  const explained = await run('harvests', 'explain', first)
  expect(explained.stdout).toContain('example.org/default: 20 objects expected')
  expect(explained.stdout).toMatch(
    /Next was example\.com\/default\. It is not in this job: Its limit of 1000000000 bytes/,
  )

  const copy = await file('news.json', (await run('harvests', 'export', number)).stdout)
  const again = await run('harvests', 'import', copy)
  expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('There is already a harvest named News.')])
  const removed = await run('harvests', 'remove', number)
  expect([removed.code, removed.stderr]).toEqual([4, expect.stringContaining('2 jobs were generated by it')])
  expect((await run('domains', 'remove', 'example.org')).stderr).toContain('these harvests use it: News')
  expect((await run('harvests', 'show', '99')).code).toBe(3)
})

test('seeds are added to an event harvest', async () => {
  const { harvest } = (await json('harvests', 'add', 'Storm', '--kind', 'event')) as { harvest: number }
  const seeds = await file('storm.txt', 'https://weather.example/\nhttps://example.org/storm\n')
  const added = await run('harvests', 'add-seeds', String(harvest), seeds, '--max-bytes', '5MB')
  expect([added.code, added.stdout]).toEqual([
    0,
    expect.stringContaining('2 seeds were added, in 2 domains, 1 of them new.'),
  ])
  expect((await run('harvests', 'show', String(harvest))).stdout).toContain('2 configurations')
})
