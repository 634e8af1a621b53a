/** `loupe import`: its output, its exit codes, and that it continues where it was stopped. No test depends on timing. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import * as made from '../../src-main/crawl/import/testing/archiveSamples.ts'
import { initArchive, loupeHere, startLoupe } from '../loupeProcess.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loupe-import-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** The interface for scripts: fields may be added, but none removed. */
const printed = z.object({
  job: z.int(),
  files: z.array(
    z.object({
      name: z.string().nullable(),
      records: z.int(),
      captures: z.int(),
      problems: z.array(z.object({ rule: z.string(), severity: z.string(), count: z.int() })),
    }),
  ),
})

async function filesIn(name: string, files: Record<string, Uint8Array>): Promise<string> {
  const place = join(folder, name)
  await mkdir(place, { recursive: true })
  for (const [file, bytes] of Object.entries(files)) await writeFile(join(place, file), bytes)
  return place
}

test('good files: exit code 0, and what was imported', async () => {
  const place = await filesIn('good', {
    'a.warc.gz': made.gzipped(made.warcRecords('http://a.test/', 'http://a.test/2')),
    'b.wacz': await made.zip({ 'archive/data.warc.gz': made.gzipped(made.warcRecords('http://b.test/')) }),
  })
  const { code, stdout, stderr } = await loupeHere(
    '--archive',
    await initArchive(join(folder, 'A')),
    '--json',
    'import',
    place,
  )
  expect(stderr).toContain(`Job 1 imports ${place}`)
  const { job, files } = printed.parse(JSON.parse(stdout))
  expect([job, files.map(({ name, records, captures }) => [name, records, captures])]).toEqual([
    1,
    [
      ['a.warc.gz', 3, 2],
      ['b-data.warc.gz', 2, 1],
    ],
  ])
  // The package has no datapackage.json, which is an error of the package.
  expect(code).toBe(1)
  const tasks = await loupeHere('--archive', join(folder, 'A'), '--json', 'tasks', '--kind', 'import')
  expect(JSON.parse(tasks.stdout)).toMatchObject([
    { kind: 'import', state: 'DONE_WITH_FINDINGS', filesDone: 2, filesTotal: 2, canStop: false },
  ])
  const again = await loupeHere('--archive', await initArchive(join(folder, 'A2')), 'import', join(place, 'a.warc.gz'))
  expect([again.code, again.stdout]).toEqual([
    0,
    expect.stringMatching(/^Job 1: Done\n1 file: 1 imported, 0 already archived, 0 rejected: 2 captures/),
  ])
})

test('five files: what was imported, what was archived before and what was rejected add up', async () => {
  const one = (name: string) => made.gzipped(made.warcRecords(`http://${name}.test/`))
  const archive = await initArchive(join(folder, 'five-archive'))
  const before = await filesIn('five-before', { 'known.warc.gz': one('known') })
  expect((await loupeHere('--archive', archive, 'import', before)).code).toBe(0)
  const place = await filesIn('five', {
    ...{ 'a.warc.gz': one('a'), 'b.warc.gz': one('b'), 'c.warc.gz': one('c'), 'known.warc.gz': one('known') },
    'text.warc.gz': gzipSync('no record'),
  })
  const { code, stdout } = await loupeHere('--archive', archive, '--json', 'import', place)
  expect(code).toBe(1)
  expect(JSON.parse(stdout)).toMatchObject({ counts: { files: 5, imported: 3, archived: 1, rejected: 1, waiting: 0 } })
  const text = await loupeHere('--archive', archive, 'import', place)
  expect(text.stdout).toContain('\n5 files: 0 imported, 4 already archived, 1 rejected: ')
})

test('a damaged file is imported with its errors, another kind of file is rejected: exit code 1', async () => {
  const place = await filesIn('bad', {
    'torn.warc': made.plain(made.warcRecords('http://a.test/')).subarray(0, -30),
    'text.warc.gz': gzipSync('no record'),
  })
  const { code, stdout } = await loupeHere('--archive', await initArchive(join(folder, 'B')), 'import', place)
  expect(code).toBe(1)
  expect(stdout).toMatch(/text\.warc\.gz {2}not imported: No record could be read in the file\./)
  expect(stdout).toMatch(/torn\.warc {2}WARC: 2 records, \d captures?, \d errors?.*\n {4}error: \w+ \(\d\)/)
})

test.skipIf(process.platform === 'win32')('a name with line ends and colours steers no terminal', async () => {
  const place = await filesIn('names', { 'a\n\u001b[2Jb.warc': Buffer.from('no record') })
  const { code, stdout, stderr } = await loupeHere('--archive', await initArchive(join(folder, 'N')), 'import', place)
  expect(code).toBe(1)
  expect(stdout).toContain('a\\u000a\\u001b[2Jb.warc  not imported')
  expect(stdout + stderr).not.toContain('\u001b')
})

test('no room in the archive: exit code 6, and with room the same command continues', async () => {
  const place = await filesIn('large', { 'a.warc': made.plain(made.warcRecords('http://a.test/')) })
  const archive = await initArchive(join(folder, 'F'))
  const keepFree = (bytes: string) => loupeHere('--archive', archive, 'settings', 'set', 'harvest.freeBytesMin', bytes)
  await keepFree('900000000000000')
  const full = await loupeHere('--archive', archive, '--json', 'import', place)
  expect([full.code, full.stdout, full.stderr]).toEqual([
    6,
    expect.stringMatching(/^\{"error":\{"code":"noSpace",/),
    expect.stringMatching(/must stay free\. .*Make room.* Run the same command/s),
  ])
  await keepFree('0')
  // The job continues to its end and names the file that it had to refuse.
  const ended = await loupeHere('--archive', archive, '--json', 'import', place)
  expect([ended.code, ended.stderr]).toEqual([6, expect.stringMatching(/continues.*a\.warc: Not enough disk space/s)])
  expect(JSON.parse(ended.stdout)).toMatchObject({ job: 1, files: [{ state: 'REJECTED', code: 'noSpace' }] })
  const again = await loupeHere('--archive', archive, 'import', place)
  expect([again.code, again.stdout]).toEqual([0, expect.stringMatching(/^Job 2: Done\n1 file: 1 imported/)])
})

test('no file could be imported: the job reports it', async () => {
  const place = await filesIn('none', { 'picture.warc': Buffer.from('\x89PNG\r\n\x1a\n', 'latin1') })
  const { code, stdout } = await loupeHere('--archive', await initArchive(join(folder, 'N')), 'import', place)
  expect(code).toBe(1)
  expect(stdout).toMatch(
    /not imported: Not an archive file: PNG image\.\n[^]*error: No files imported\.\nerror: 1 file could not be imported\. See the list of files for the reasons\.\n$/,
  )
})

test('a package without captures is imported, and nothing claims otherwise', async () => {
  const manifest = JSON.stringify({ profile: 'data-package', wacz_version: '1.1.1', resources: [] })
  const place = await filesIn('logs', {
    'logs.wacz': await made.zip({
      'archive/logs.warc.gz': made.gzipped(made.warcRecords()),
      'datapackage.json': Buffer.from(manifest),
    }),
  })
  const { stdout } = await loupeHere('--archive', await initArchive(join(folder, 'L')), 'import', place)
  expect(stdout).toMatch(/\n1 file: 1 imported, 0 already archived, 0 rejected: 0 captures, /)
  expect(stdout).toContain('\nwarning: The imported file has no captures, so there is nothing to replay.\n')
  expect(stdout).not.toMatch(/No files imported|Nothing was/)
})

test('of many files those without errors are counted, and each rule is named once', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 101 }, (_, number) => {
      const records = made.gzipped(made.warcRecords(`http://site${number}.test/`))
      return [`${number}.warc.gz`, Buffer.concat([records, gzipSync('')])]
    }),
  )
  const place = await filesIn('crowd', { ...files, 'bad.warc': Buffer.from('\x89PNG\r\n\x1a\n', 'latin1') })
  const { code, stdout } = await loupeHere('--archive', await initArchive(join(folder, 'M')), 'import', place)
  expect(code).toBe(1)
  expect(stdout).toMatch(/^Job 1: .*\n102 files: 101 imported, 0 already archived, 1 rejected: 101 captures, /)
  expect(stdout).toMatch(/\n {2}\S+bad\.warc {2}not imported: .*\n {2}101 files without errors\n/)
  expect(stdout.match(/memberEmpty/g)).toHaveLength(1)
  expect(stdout).toMatch(/ {4}note: memberEmpty \(101 in 101 files\)\n/)
  expect(stdout.split('\n').length).toBeLessThan(20)
})

test('a missing path: exit code 3, and no job', async () => {
  const { code, stdout, stderr } = await loupeHere(
    '--archive',
    await initArchive(join(folder, 'C')),
    'import',
    join(folder, 'nothing'),
  )
  expect([code, stdout, stderr]).toEqual([3, '', `There is no file or folder ${join(folder, 'nothing')}.\n`])
})

test('Ctrl-C stops it, and the same command continues: every file once, byte for byte', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 60 }, (_, number) => {
      const name = `${String(number).padStart(2, '0')}.warc.gz`
      return [name, made.gzipped(made.warcRecords(`http://site${number}.test/`))]
    }),
  )
  const place = await filesIn('many', files)
  const archive = await initArchive(join(folder, 'D'))
  const words = ['--archive', archive, '--json', 'import', place]
  const first = startLoupe(words)
  await first.line(/Job 1 imports/, 'stderr')
  first.child.kill('SIGINT')
  expect(await first.ended).toMatchObject({ code: 130, stdout: '' })
  const second = await loupeHere(...words)
  expect(second.stderr).toContain('Job 1 continues')
  expect(second.code, second.stderr).toBe(0)
  const told = printed.parse(JSON.parse(second.stdout))
  expect(told.files.map(({ name }) => name)).toEqual(Object.keys(files))
  const replica = join(archive, 'replicas/ONE')
  expect((await readdir(replica)).filter((name) => /^\d\d\.warc\.gz$/.test(name))).toEqual(Object.keys(files))
  for (const [name, bytes] of Object.entries(files)) expect(await readFile(join(replica, name))).toEqual(bytes)
})
