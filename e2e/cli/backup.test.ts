/** Backups of the database as an administrator uses them: made and listed, verified by Loupe and by sha256sum, and restored over a
 *  database that has changed, is damaged or is missing. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { initArchive, loupeHere, startLoupe } from '../loupeProcess.ts'
import { mountDrive } from '../mountedDrive.ts'
import { soundFile } from '../sites/archiveFiles.ts'

let folder = ''
/** An archive with one job and one backup. */
let archive = ''
let backup = ''

const row = z.object({
  name: z.string().regex(/^loupe-[0-9a-f]{8}-\d{8}T\d{6}Z\.db$/),
  path: z.string(),
  state: z.enum(['good', 'damaged', 'missing', 'unreadable', 'otherArchive']),
  problem: z.object({ text: z.string() }).nullable(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  manifest: z.object({ jobs: z.int(), files: z.int(), bytes: z.int().min(1) }),
})
const found = z.object({ folder: z.string(), backups: z.array(row) })
const made = z.object({ outcome: z.enum(['made', 'unchanged']), backup: row, removed: z.array(z.string()) })

const ask = (at: string, ...words: string[]) => loupeHere('--archive', at, ...words)
const jobsOf = async (at: string) => JSON.parse((await ask(at, '--json', 'jobs')).stdout) as { job: number }[]

async function importInto(at: string, name: string): Promise<void> {
  const source = join(folder, `${name}.warc.gz`)
  await writeFile(source, soundFile(`${name}.test`))
  const { code, stderr } = await loupeHere('--archive', at, 'import', source)
  expect([code, stderr]).toEqual([0, expect.anything()])
}

/** Copies the state of the archive after its only backup. */
async function copied(name: string): Promise<string> {
  const at = join(folder, name)
  await cp(archive, at, { recursive: true })
  return at
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loupe-backup-cli-'))
  archive = await initArchive(join(folder, 'archive'))
  await importInto(archive, 'first')
  const before = await ask(archive, 'backup', 'list')
  expect([before.code, before.stdout]).toEqual([0, expect.stringMatching(/^There is no backup in .*"loupe backup make"/)]) // prettier-ignore
  const { code, stdout } = await ask(archive, '--json', 'backup', 'make')
  expect(code).toBe(0)
  backup = made.parse(JSON.parse(stdout)).backup.path
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('an unchanged database is backed up once, for its owner only, and sha256sum agrees', async () => {
  const again = await ask(archive, '--json', 'backup', 'make')
  expect([again.code, made.parse(JSON.parse(again.stdout)).outcome]).toEqual([0, 'unchanged'])
  expect((await ask(archive, 'backup', 'make')).stdout).toMatch(/^Nothing has changed since .* was verified/)
  const names = await readdir(join(archive, 'backups'))
  expect(names).toEqual([expect.stringMatching(/\.db$/), expect.stringMatching(/\.db\.sha256$/)])
  for (const name of names) expect((await stat(join(archive, 'backups', name))).mode & 0o777).toBe(0o600)
  const summed = execFileSync('sha256sum', ['-c', names[1] ?? ''], { cwd: join(archive, 'backups'), encoding: 'utf8' })
  expect(summed).toBe(`${names[0]}: OK\n`)
})

test('list and verification report the same as text and as JSON', async () => {
  for (const verb of ['list', 'verify']) {
    const { code, stdout } = await ask(archive, '--json', 'backup', verb)
    const { backups } = found.parse(JSON.parse(stdout))
    expect([code, backups.length, backups[0]?.state, backups[0]?.manifest.jobs]).toEqual([0, 1, 'good', 1])
    const text = (await ask(archive, 'backup', verb)).stdout
    expect(text).toMatch(/1 backup in .*\nbackup +made +unchanged until +last verified[^]*loupe-.*\.db .*good/)
  }
  expect((await ask(archive, 'backup', 'verify', backup)).code).toBe(0)
})

test('damage is found by verification, shown by the status, and refused by restore', async () => {
  const at = await copied('damaged backup')
  const [name = ''] = await readdir(join(at, 'backups'))
  await appendFile(join(at, 'backups', name), 'x')
  const verified = await ask(at, 'backup', 'verify')
  expect([verified.code, verified.stdout]).toEqual([1, expect.stringMatching(/damaged\n.*no longer has the checksum/)])
  expect((await ask(at, 'preserve', 'status')).stdout).toMatch(/Backups of the database:\n {2}A backup is damaged/)
  const restored = await ask(at, 'backup', 'restore', '--yes', name)
  expect([restored.code, restored.stderr]).toEqual([5, expect.stringMatching(/damaged.*Nothing was changed/)])
  expect(await jobsOf(at)).toHaveLength(1)
})

describe('restoring', () => {
  const wrong: [what: string, words: (at: string) => string[], code: number, line: RegExp][] = [
    ['a name that no backup has', () => ['--yes', 'loupe-00000000-20260101T000000Z.db'], 3, /There is no backup .*"loupe backup list"/],
    ['a missing path', (at) => ['--yes', join(at, 'nothing')], 3, /There is no backup/],
    ['a file that is not a database', (at) => ['--yes', join(at, 'loupe.backup')], 5, /cannot be restored.*Nothing was changed/],
    ['nothing at all', () => [], 2, /Missing required argument <name>/],
  ] // prettier-ignore
  test.each(wrong)('%s', async (_, words, code, line) => {
    const ended = await ask(archive, 'backup', 'restore', ...words(archive))
    expect([ended.code, ended.stdout, ended.stderr]).toEqual([code, '', expect.stringMatching(line)])
  })

  test('a folder that is not an archive gets no database', async () => {
    const foreign = join(folder, 'foreign')
    await mkdir(foreign)
    await writeFile(join(foreign, 'holiday.jpg'), 'x')
    expect((await ask(foreign, 'backup', 'restore', '--yes', backup)).code).toBe(4)
    expect(await readdir(foreign)).toEqual(['holiday.jpg'])
    expect((await ask(join(folder, 'mistyped'), 'backup', 'list')).code).toBe(3)
  })

  test('asks before it changes anything; the replaced database is kept, and the audit log verifies', async () => {
    const at = await copied('changed')
    await importInto(at, 'second')
    const [name = ''] = await readdir(join(at, 'backups'))
    const unanswered = await typed('', at, 'backup', 'restore', name)
    expect([unanswered.code, unanswered.stderr]).toEqual([4, expect.stringMatching(/nothing was typed.*--yes/)])
    const no = await typed('no\n', at, 'backup', 'restore', name)
    expect([no.code, no.stderr]).toEqual([4, expect.stringMatching(/1 job, \d+ archived files\. It is intact[^]*Nothing was changed/)]) // prettier-ignore
    expect(await jobsOf(at)).toHaveLength(2)

    const yes = await typed('restore\n', at, 'backup', 'restore', name)
    expect([yes.code, yes.stdout]).toEqual([0, expect.stringMatching(/^Restored .*\n.*is now (loupe\.db\.before-restore-\S+);[^]*"loupe recover"/)]) // prettier-ignore
    expect((await jobsOf(at)).map(({ job }) => job)).toEqual([1])
    const aside = /loupe\.db\.before-restore-\d{8}T\d{6}Z/.exec(yes.stdout)?.[0] ?? ''
    expect((await stat(join(at, aside))).size).toBeGreaterThan(0)
    expect((await ask(at, 'preserve', 'audit', '--verify')).code).toBe(0)
    expect((await ask(at, 'preserve', 'audit')).stdout).toContain('Database backup restored')
    // The same command undoes the restore.
    const back = await ask(at, '--json', 'backup', 'restore', '--yes', join(at, aside))
    expect([back.code, JSON.parse(back.stdout)]).toMatchObject([0, { jobs: 2, movedTo: expect.any(String) as string }])
    expect(await jobsOf(at)).toHaveLength(2)
  })

  const lost: [what: string, lose: (path: string) => Promise<void>][] = [
    ['damaged', (path) => writeFile(path, 'x'.repeat(20_000))],
    ['emptied', (path) => truncate(path, 0)],
    ['gone', (path) => rm(path)],
  ]
  test.each(lost)('the database may be %s', async (what, lose) => {
    const at = await copied(`lost ${what}`)
    await lose(join(at, 'loupe.db'))
    expect((await ask(at, 'jobs')).code).toBe(5)
    expect((await ask(at, 'backup', 'list')).stdout).toContain('1 backup')
    const [name = ''] = await readdir(join(at, 'backups'))
    expect((await ask(at, 'backup', 'restore', '--yes', name)).code).toBe(0)
    expect(await jobsOf(at)).toHaveLength(1)
    expect((await ask(at, 'preserve', 'missing')).code).toBe(0)
  })

  test('restores an archive into an empty folder, with the settings of its replicas', async () => {
    const at = await copied('moved')
    await ask(at, 'settings', 'set', 'replicas', JSON.stringify({ FAR: join(at, 'replicas/ONE') }))
    await rm(join(at, 'replicas/ONE/.loupe-replica'))
    const { stdout } = await ask(at, '--json', 'backup', 'make')
    const { path } = made.parse(JSON.parse(stdout)).backup
    const fresh = join(folder, 'fresh')
    await mkdir(fresh)
    const restored = await ask(fresh, 'backup', 'restore', '--yes', path)
    expect([restored.code, restored.stdout]).toEqual([0, expect.stringMatching(/loupe\.toml was missing/)])
    expect(await readFile(join(fresh, 'loupe.toml'), 'utf8')).toContain(join(at, 'replicas/ONE'))
    expect(await jobsOf(fresh)).toHaveLength(1)
  })
})

test('a running Loupe makes backups for other commands, and no restore is possible', async () => {
  const at = await copied('running')
  const serving = startLoupe(['--archive', at, 'serve', '--port', '0'])
  try {
    await serving.line(/http:/)
    await importInto(at, 'third')
    const { code, stdout } = await ask(at, '--json', 'backup', 'make')
    expect([code, made.parse(JSON.parse(stdout))]).toMatchObject([0, { outcome: 'made', backup: { manifest: { jobs: 2 } } }]) // prettier-ignore
    expect(found.parse(JSON.parse((await ask(at, '--json', 'backup', 'list')).stdout)).backups).toHaveLength(2)
    const [name = ''] = await readdir(join(at, 'backups'))
    const refused = await ask(at, 'backup', 'restore', '--yes', name)
    expect([refused.code, refused.stderr]).toEqual([5, expect.stringMatching(/has the archive .* open/)])
  } finally {
    serving.child.kill('SIGTERM')
    await serving.ended
  }
})

test('a backup folder in a replica is refused', async () => {
  const inside = await ask(archive, 'settings', 'set', 'backup.folder', 'replicas/ONE/backups')
  expect([inside.code, inside.stderr]).toEqual([4, expect.stringMatching(/backup\.folder: .*is inside the folder of replica ONE/)]) // prettier-ignore
  const around = await ask(archive, 'settings', 'set', 'replicas', JSON.stringify({ ONE: 'backups' }))
  expect([around.code, around.stderr]).toEqual([4, expect.stringMatching(/is inside the folder of replica ONE/)])
})

const drive = await mountDrive({ size: '2g' })

describe.skipIf(drive === undefined)('a drive of its own (skipped where none can be mounted)', () => {
  const at = drive?.at ?? ''
  afterAll(() => drive?.remove())
  const conditions = async (name: string) => {
    const { stdout } = await ask(name, '--json', 'preserve', 'report', '--format', 'json')
    const { levels } = z
      .object({ levels: z.array(z.object({ conditions: z.array(z.object({ id: z.string(), state: z.string() })) })) })
      .parse(JSON.parse(stdout))
    return levels
      .flatMap((area) => area.conditions)
      .filter(({ id }) => id.endsWith('Elsewhere'))
      .map(({ id, state }) => `${id} ${state}`)
  }

  test('counts for the NDSA levels while it is reachable', async () => {
    const its = await copied('with a drive')
    expect(await conditions(its)).toEqual(['integrityElsewhere notMet', 'inventoryElsewhere notMet'])
    await ask(its, 'settings', 'set', 'backup.folder', join(at, 'backups'))
    expect(await conditions(its)).toEqual(['integrityElsewhere notMet', 'inventoryElsewhere notMet'])
    expect((await ask(its, 'backup', 'make')).code).toBe(0)
    expect(await conditions(its)).toEqual(['integrityElsewhere met', 'inventoryElsewhere met'])
    // The state without the drive: its empty mount point exists.
    drive?.unplug()
    expect(await conditions(its)).toEqual(['integrityElsewhere notMet', 'inventoryElsewhere notMet'])
    const away = await ask(its, 'backup', 'make')
    expect([away.code, away.stderr]).toEqual([5, expect.stringMatching(/connect its drive/)])
    expect(await readdir(at)).toEqual([])
    expect((await ask(its, 'preserve', 'status')).code).toBe(1)
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=3m', 'tmpfs', at])
  })

  test('a full folder is reported before anything is written to it', async () => {
    const its = await copied('with a full drive')
    await ask(its, 'settings', 'set', 'backup.folder', join(at, 'backups'))
    const full = await ask(its, 'backup', 'make')
    expect([full.code, full.stderr]).toEqual([
      6,
      expect.stringMatching(/^Not enough space for a backup in .* Free up space/),
    ])
    expect(await readdir(join(at, 'backups'))).toEqual([])
    expect((await ask(its, 'preserve', 'status')).stdout).toMatch(
      /Backups of the database:\n {2}Not enough space for a backup/,
    )
  })
})

/** Runs a command with this line as the user's input. */
async function typed(line: string, at: string, ...words: string[]) {
  const main = join(import.meta.dirname, '../../src-main/shells/cli/cli.ts')
  const child = spawn(process.execPath, [main, '--archive', at, ...words], { stdio: 'pipe' })
  child.stdin.end(line)
  const [stdout, stderr] = await Promise.all([textOf(child.stdout), textOf(child.stderr), once(child, 'exit')])
  return { code: child.exitCode, stdout, stderr }
}
