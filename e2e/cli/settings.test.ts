/** Settings on the command line: a value that would prevent the archive from being opened is not written, and an invalid file that
 *  was edited by hand can be repaired with the same commands. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { initArchive, loupeHere } from '../loupeProcess.ts'

let folder: string
let archive: string
const toml = () => join(archive, 'loupe.toml')
const settings = (...words: string[]) => loupeHere('--archive', archive, 'settings', ...words)
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loupe-settings-'))
  // Read when the first command begins.
  process.env['XDG_CONFIG_HOME'] = join(folder, 'configuration')
  archive = await initArchive(join(folder, 'archive'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('replicas that are not separate are refused before they are saved', () => {
  const rows: [path: string, value: string, code: number, line: RegExp][] = [
    ['checksumReplicas', '{"ONE":"sums"}', 4, /two replicas have the same name, ONE .*replicas\.ONE = .*checksumReplicas\.ONE = "sums"/i],
    ['checksumReplicas', '{"SUMS":"replicas/TWO"}', 4, /TWO and SUMS have the same folder/],
    ['replicas', '{"A":"x","B":"x"}', 4, /A and B have the same folder .*replicas\.A = "x", replicas\.B = "x"/],
    ['replicas', '{"A":"x","B":"x/y"}', 4, /replica B is inside the folder of replica A/i],
    ['places', '{"OEN":"Aarhus"}', 2, /places\.OEN: there is no replica "OEN"; the nearest known one is "ONE"/],
  ] // prettier-ignore
  test.each(rows)('%s %s', async (path, value, code, line) => {
    const ended = await settings('set', path, value)
    expect(ended).toMatchObject({ code, stdout: '' })
    expect(ended.stderr.trimEnd().split('\n').at(-1)).toMatch(line)
    expect((await settings('check')).code).toBe(0)
  })
})

test.each([
  ['harvest.fileBytesMax', '2GB', 2_000_000_000],
  ['preservation.bytesPerSecondMax', '50MB/s', 50_000_000],
  ['harvest.silenceMsMax', '90s', 90_000],
  ['backup.everyHours', '2d', 48],
])('%s %s takes its unit', async (path, text, value) => {
  expect(await settings('set', path, text)).toMatchObject({ code: 0, stdout: `${path} = ${value}\n` })
  expect((await settings('get', path)).stdout).toBe(`${value}\n`)
})

test('a fraction of a unit is refused', async () => {
  const refused = await settings('set', 'backup.everyHours', '90m')
  expect(refused).toMatchObject({ code: 2, stdout: '' })
  expect(refused.stderr).toMatch(/backup\.everyHours must be a whole number/)
})

describe('an invalid loupe.toml that prevents opening the archive', () => {
  const rows: [toml: string, line: RegExp, path: string, value: string][] = [
    ['[replicas]\nONE = "x"\nTWO = "x"\n', /loupe\.toml: replicas ONE and TWO have the same folder .*replicas\.TWO = "x"/, 'replicas', '{"ONE":"x","TWO":"y"}'],
    ['[checksumReplicas]\nONE = "sums"\n', /loupe\.toml: two replicas have the same name/, 'checksumReplicas', '{}'],
    ['[harvest]\nworkers = "many"\n', /loupe\.toml, line 2: harvest\.workers must be a whole number\. Its value is "many"/, 'harvest.workers', '3'],
    ['[harvest]\nworkers =\n', /loupe\.toml, line 2 \("workers ="\)/, 'harvest.workers', '3'],
  ] // prettier-ignore
  test.each(rows)('%j', async (written, line, path, value) => {
    await writeFile(toml(), written)
    for (const words of [['list'], ['get', path]]) {
      const shown = await settings(...words)
      expect([shown.code, shown.stdout]).toEqual([1, expect.stringMatching(/./)])
      expect(shown.stderr).toMatch(line)
    }
    for (const words of [['settings', 'check'], ['jobs']]) {
      const refused = await loupeHere('--archive', archive, ...words)
      expect([refused.code === 0, refused.stderr]).toEqual([false, expect.stringMatching(line)])
    }
    expect((await settings('set', path, value)).code).toBe(0)
    expect((await settings('check')).code).toBe(0)
    await rm(toml())
  })

  test('two invalid settings are corrected one after the other', async () => {
    await writeFile(toml(), '[harvest]\nworkers = "many"\ndelayMs = "long"\n')
    const first = await settings('set', 'harvest.workers', '3')
    expect([first.code, first.stderr]).toEqual([
      0,
      expect.stringMatching(/harvest\.delayMs must be a whole number\. Its value is "long"/),
    ])
    expect(await settings('set', 'harvest.delayMs', '5')).toMatchObject({ code: 0, stderr: '' })
    expect(await readFile(toml(), 'utf8')).toBe('[harvest]\nworkers = 3\ndelayMs = 5\n')
    await rm(toml())
  })
})

test('removing a replica with files is reported', async () => {
  const file = join(folder, 'note.txt')
  await writeFile(file, 'kept')
  expect((await loupeHere('--archive', archive, 'upload', file)).code).toBe(0)
  const left = await settings('set', 'replicas', '{"ONE":"replicas/ONE"}')
  expect([left.code, left.stderr]).toEqual([
    0,
    expect.stringMatching(/TWO is no longer in the settings\. Its 1 file stays in .*TWO, /),
  ])
})

test('a setting of the user applies to all archives until an archive has its own', async () => {
  expect((await settings('set', '--user', 'harvest.attemptsMax', '5')).code).toBe(0)
  expect(await readFile(join(folder, 'configuration', 'loupe', 'loupe.toml'), 'utf8')).toBe(
    '[harvest]\nattemptsMax = 5\n',
  )
  const other = await initArchive(join(folder, 'other'))
  expect((await loupeHere('--archive', other, 'settings', 'get', 'harvest.attemptsMax')).stdout).toBe('5\n')
  expect((await settings('list')).stdout).toMatch(/harvest\.attemptsMax = 5 {2}\(user; default 3\)\n.*\n {4}Example: 5/)
  await settings('set', 'harvest.attemptsMax', '2')
  expect((await settings('list')).stdout).toMatch(/harvest\.attemptsMax = 2 {2}\(archive; default 3\)/)
  const refused = await settings('set', '--user', 'replicas', '{"ONE":"one"}')
  expect([refused.code, refused.stderr]).toEqual([4, expect.stringMatching(/replicas describes one archive/)])
  await rm(toml())
  await rm(join(folder, 'configuration'), { recursive: true })
})

test('any file is checked without an archive, and all of its problems are printed', async () => {
  const file = join(folder, 'mine.toml')
  const check = () => loupeHere('--archive', join(folder, 'none'), 'settings', 'check', file)
  await writeFile(file, '[harvest]\nworker = 4\nattemptsMax = 0\n')
  const found = await check()
  expect(found.code).toBe(1)
  expect(found.stdout.trim().split('\n')).toEqual([
    expect.stringMatching(/line 2: There is no setting "harvest\.worker"; the nearest known one is "harvest\.workers"/),
    expect.stringMatching(/line 3: harvest\.attemptsMax must be at least 1/),
  ])
  await writeFile(file, '[harvest]\nworkers = 4\n')
  expect(await check()).toMatchObject({ code: 0, stdout: `${file}: no problem found.\n` })
  await rm(file)
  expect((await check()).code).toBe(3)
})
