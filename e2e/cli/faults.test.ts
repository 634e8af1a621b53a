/** External faults of an archive: each results in one line and an exit code, and no data is lost. */
import { execFileSync } from 'node:child_process'
import { cp, open, readdir, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { initArchive, loupeHere } from '../loupeProcess.ts'
import { mountDrive } from '../mountedDrive.ts'
import { harvestedMuseum, harvestOf, type Harvested } from './harvested.ts'

let made: Harvested

beforeAll(async () => {
  made = await harvestedMuseum()
})
afterAll(() => made.close())

async function copied(name: string): Promise<string> {
  const archive = join(made.folder, name)
  await cp(made.archive, archive, { recursive: true })
  return archive
}

async function refused(archive: string, words: string[], code: number, line: RegExp): Promise<void> {
  const ended = await loupeHere('--archive', archive, ...words)
  expect(ended).toMatchObject({ code, stdout: '' })
  expect(ended.stderr.trimEnd().split('\n')).toEqual([expect.stringMatching(line)])
}

describe('a folder that cannot be an archive', () => {
  test('a file', async () => {
    const path = join(made.folder, 'file')
    await writeFile(path, 'hello')
    await refused(path, ['init'], 4, /No archive can be created in .*file: it is a file/)
    await refused(
      join(path, 'below'),
      ['init'],
      4,
      /No archive can be created in .*below: a part of this path is a file/,
    )
  })
})

describe('a damaged database', () => {
  const rows: [name: string, damage: (path: string) => Promise<void>, line: RegExp][] = [
    [
      'garbage',
      (path) => writeFile(path, 'x'.repeat(20_000)),
      /^The database .*loupe\.db is damaged\. List the backups.*loupe backup restore/,
    ],
    [
      'cut',
      (path) => truncate(path, 9_000),
      /^The database .*loupe\.db is damaged\. List the backups.*loupe backup restore/,
    ],
    [
      'emptied',
      (path) => truncate(path, 0),
      /^The database .*loupe\.db is empty, although .* holds files: restore a backup/,
    ],
    ['written over', overwrite, /^The database .*loupe\.db is damaged\. List the backups.*loupe backup restore/],
  ]
  test.each(rows)('%s', async (name, damage, line) => {
    const archive = await copied(`damaged ${name}`)
    const before = await readdir(join(archive, 'replicas/ONE'))
    await damage(join(archive, 'loupe.db'))
    await refused(archive, ['jobs'], 5, line)
    expect(await readdir(join(archive, 'replicas/ONE'))).toEqual(before)
    // The message says that without a backup the replicas are sufficient.
    if (name !== 'emptied') await rm(join(archive, 'loupe.db'))
    expect((await loupeHere('--archive', archive, 'recover')).code).toBe(0)
    const { stdout } = await loupeHere('--archive', archive, '--json', 'jobs')
    expect(JSON.parse(stdout)).toMatchObject([{ job: 1 }])
  })
})

/** Overwrites everything after the first page, which identifies the file as a database. */
async function overwrite(path: string): Promise<void> {
  await using file = await open(path, 'r+')
  const { size } = await file.stat()
  await file.write(Buffer.alloc(size - 4096, 0x5a), 0, size - 4096, 4096)
}

describe('a wrong loupe.toml', () => {
  const rows: [toml: string, line: RegExp][] = [
    ['[harvest]\nworkrs = 3\n', /"harvest\.workrs"; the nearest known one is "harvest\.workers"/],
    ['[harvest]\nworkers = "many"\n', /harvest\.workers must be a whole number\. Its value is "many"/],
    ['[harvest]\nworkers = 0\n', /harvest\.workers must be at least 1/],
    ['[harvest]\n\nworkers = \n', /loupe\.toml, line 3/],
    ['[replicas]\n', /replicas must have at least 1 entry/],
    ['[replicas]\nONE = "x"\nTWO = "x"\n', /replicas ONE and TWO have the same folder/i],
  ]
  test.each(rows)('%j', async (toml, line) => {
    const archive = await copied('toml')
    await writeFile(join(archive, 'loupe.toml'), toml)
    await refused(archive, ['settings', 'check'], /same folder/.test(line.source) ? 4 : 2, line)
  })
})

test('an unreachable replica is a finding; its missing files are stored at the next start', async () => {
  const archive = await initArchive(join(made.folder, 'unreachable'))
  const elsewhere = join(made.folder, 'drive')
  await writeFile(elsewhere, 'not mounted')
  const replicas = JSON.stringify({ ONE: 'replicas/ONE', TWO: elsewhere })
  await loupeHere('--archive', archive, 'settings', 'set', 'replicas', replicas)
  const harvested = await loupeHere('--archive', archive, '--json', ...harvestOf(made.site))
  expect(harvested.code).toBe(1)
  expect(JSON.parse(harvested.stdout)).toMatchObject({
    findings: [
      {
        level: 'error',
        message: {
          code: 'job.filesWait',
          text: expect.stringMatching(/is not stored in replica TWO\. [^.]*is a file\. The files wait in /) as string,
        },
      },
    ],
  })
  expect((await readdir(join(archive, 'jobs/1'))).filter((name) => name.includes('.warc'))).toHaveLength(2)
  expect((await loupeHere('--archive', archive, 'preserve', 'status')).code).toBe(1)

  await rm(elsewhere)
  expect((await loupeHere('--archive', archive, ...harvestOf(made.site, '--max-objects', '1'))).code).toBe(0)
  expect(await readdir(join(archive, 'jobs/1'))).toEqual([])
  const visible = (await readdir(elsewhere)).filter((name) => !name.startsWith('.'))
  expect(visible).toEqual(
    await readdir(join(archive, 'replicas/ONE')).then((names) => names.filter((name) => !name.startsWith('.'))),
  )
  expect((await loupeHere('--archive', archive, 'preserve', 'status')).code).toBe(0)
  expect((await loupeHere('--archive', archive, 'preserve', 'checksums')).code).toBe(0)
  expect((await loupeHere('--archive', archive, 'preserve', 'status')).code).toBe(0)
  const { stdout } = await loupeHere('--archive', archive, '--json', 'jobs', '1')
  expect(JSON.parse(stdout)).toMatchObject({ status: 'Done', reason: null })
})

const small = await mountDrive({ size: '3m' })

describe.skipIf(small === undefined)('a full disk (skipped where no drive can be mounted)', () => {
  const disk = small?.at ?? ''
  const archive = join(disk, 'archive')
  const words = () => ['--archive', archive, ...harvestOf(made.site)]
  const filler = join(disk, 'filler')

  afterAll(() => small?.remove())

  test('pauses before fetching when less space than the setting is free', async () => {
    await initArchive(archive)
    const { code, stderr, stdout } = await loupeHere(...words())
    expect([code, stdout]).toEqual([6, ''])
    expect(stderr.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^Job 1 harvests/),
      expect.stringMatching(
        /^Job 1 is paused\. The disk of the archive has only [\d.]+\s\wB free.*Run the same command again to continue/,
      ),
    ])
  })

  test('stops a harvest in progress, and fetched URLs are kept', async () => {
    expect((await loupeHere('--archive', archive, 'settings', 'set', 'harvest.freeBytesMin', '0')).code).toBe(0)
    await fill(filler, 200_000)
    const { code, stderr } = await loupeHere(...words())
    expect(code, stderr).toBe(6)
    expect(stderr).not.toContain('    at ')
  })

  test('the archive can still be inspected', async () => {
    // SQLite's index of the write-ahead log (the -shm file) takes 32 kB, for readers too.
    await fill(join(disk, 'rest'), 64_000)
    expect((await loupeHere('--archive', archive, 'jobs')).code).toBe(0)
  })

  test('continues when there is room again', async () => {
    await rm(join(disk, 'rest'))
    await rm(filler)
    execFileSync('mount', ['-o', 'remount,size=2g', disk])
    const { code, stdout, stderr } = await loupeHere('--json', ...words())
    expect(code, stderr).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ job: 1, documents: { fetched: 37, failed: 0 } })
  })
})

/** Fills the drive until only `leftBytes` are free. */
async function fill(path: string, leftBytes: number): Promise<void> {
  await using file = await open(path, 'w')
  const piece = Buffer.alloc(4096)
  try {
    for (;;) await file.write(piece)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
  }
  const { size } = await file.stat()
  await file.truncate(Math.max(0, size - leftBytes))
}
