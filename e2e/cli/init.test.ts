/** Which folders become archives: only `loupe init` and the start of a window create one, no other command does, and no file is
 *  written to a refused folder. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serve } from '../../src-main/shells/server/serve.ts'
import { initArchive, loupeHere, type Ended } from '../loupeProcess.ts'
import { soundFile } from '../sites/archiveFiles.ts'

let folder: string
/** An archive with one imported file and one backup of its database. */
let archive: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loupe-init-'))
  archive = await initArchive(join(folder, 'archive'))
  await writeFile(join(folder, 'sound.warc.gz'), soundFile('sound.test'))
  expect((await loupeHere('--archive', archive, 'import', join(folder, 'sound.warc.gz'))).code).toBe(0)
  expect((await loupeHere('--archive', archive, 'backup', 'make')).code).toBe(0)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** One command of each kind: reading, writing, working on jobs, running until Ctrl-C, and opening no database. */
const verbs = [
  ...['jobs', 'jobs 1', 'history', 'schedule list', 'credential list', 'connector list', 'queue 1', 'batch'],
  ...['settings list', 'settings check', 'settings set harvest.workers 3', 'get-metadata 1', 'get-file x', 'recover'],
  ...['preserve status', 'preserve missing', 'preserve repair', 'preserve audit', 'backup list', 'backup verify'],
  ...['backup make', 'harvest http://127.0.0.1:1/', 'import sound.warc.gz', 'upload sound.warc.gz', 'serve --port 0'],
  ...['view --jobs 1', 'export --jobs 1 --format csv out.csv', 'job start 1'],
]

function ask(at: string, words: string): Promise<Ended> {
  return loupeHere('--archive', at, ...words.split(' ').map((word) => word.replace(/\w+\.(warc\.gz|csv)$/, join(folder, '$&')))) // prettier-ignore
}

async function foreignFolder(name: string): Promise<string> {
  const foreign = join(folder, name)
  await mkdir(join(foreign, 'backups'), { recursive: true })
  await mkdir(join(foreign, 'lib'))
  await writeFile(join(foreign, 'holiday.jpg'), 'x')
  return foreign
}

describe('a verb other than init', () => {
  test.each(verbs)('%s exits 3 in a folder that is not there, and makes none', async (words) => {
    const mistyped = join(folder, "ada's museum")
    const { code, stdout, stderr } = await ask(mistyped, words)
    expect([code, stdout]).toEqual([3, ''])
    const quoted = `'${mistyped.replace("'", String.raw`'\''`)}'`
    expect(stderr).toBe(
      `There is no archive in ${mistyped}: check the path, or create one with "loupe --archive ${quoted} init".\n`,
    )
    expect(await readdir(folder)).not.toContain("ada's museum")
  })

  test.each(verbs)('%s exits 3 in a folder of other files, and writes nothing there', async (words) => {
    const foreign = join(folder, 'foreign')
    if (!(await readdir(folder)).includes('foreign')) await foreignFolder('foreign')
    const { code, stdout, stderr } = await ask(foreign, words)
    expect([code, stdout]).toEqual([3, ''])
    expect(stderr).toMatch(/^.*foreign is not an archive: .*"loupe --archive DIR init"\.\n$/)
    expect(await readdir(foreign, { recursive: true })).toEqual(['backups', 'holiday.jpg', 'lib'])
  })

  test.each(verbs)('%s exits 3 in an empty folder, and leaves it empty', async (words) => {
    const empty = await mkdtemp(join(folder, 'empty-'))
    expect((await ask(empty, words)).code).toBe(3)
    expect(await readdir(empty)).toEqual([])
  })

  test('exits with 3 when the folder is a file', async () => {
    const file = join(folder, 'sound.warc.gz')
    expect(await ask(file, 'jobs')).toMatchObject({ code: 3, stdout: '' })
    expect(await ask(join(file, 'below'), 'jobs')).toMatchObject({ code: 3, stdout: '' })
  })
})

describe('init', () => {
  test('creates an archive once, and leaves an existing one unchanged', async () => {
    const at = join(folder, 'new', 'archive')
    const first = await ask(at, '--json init')
    expect([first.code, JSON.parse(first.stdout)]).toEqual([0, { archive: at, created: true }])
    expect(await ask(at, 'jobs')).toMatchObject({ code: 0 })
    expect(await ask(at, 'settings set harvest.workers 3')).toMatchObject({ code: 0 })
    const second = await ask(at, '--json init')
    expect([second.code, JSON.parse(second.stdout)]).toEqual([0, { archive: at, created: false }])
    expect(await ask(at, 'settings get harvest.workers')).toMatchObject({ code: 0, stdout: '3\n' })
  })

  test('ignores hidden files and lost+found', async () => {
    const at = await mkdtemp(join(folder, 'drive-'))
    await writeFile(join(at, '.DS_Store'), 'x')
    await mkdir(join(at, 'lost+found'))
    expect(await ask(at, 'jobs')).toMatchObject({ code: 3 })
    expect(await ask(at, 'init')).toMatchObject({ code: 0 })
    expect(await ask(at, 'jobs')).toMatchObject({ code: 0 })
  })

  test('uses an existing loupe.toml', async () => {
    const at = await mkdtemp(join(folder, 'prepared-'))
    await writeFile(join(at, 'loupe.toml'), '[replicas]\nFIRST = "replicas/FIRST"\n')
    expect(await ask(at, 'init')).toMatchObject({ code: 0 })
    expect(await readdir(join(at, 'replicas'))).toEqual(['FIRST'])
  })

  test('refuses a folder with other files, also one in which a folder is named as in an archive', async () => {
    const foreign = await foreignFolder('refused')
    const { code, stdout, stderr } = await ask(foreign, 'init')
    expect([code, stdout]).toEqual([4, ''])
    expect(stderr).toMatch(/^.*refused contains other files, but no archive: name a new or an empty folder .*\n$/)
    expect(await readdir(foreign)).toEqual(['backups', 'holiday.jpg', 'lib'])
  })
})

describe('the database is lost', () => {
  async function without(name: string, lost: readonly string[]): Promise<string> {
    const at = join(folder, name)
    await cp(archive, at, { recursive: true })
    for (const each of [...lost, 'loupe.db-wal', 'loupe.db-shm']) await rm(join(at, each), { force: true })
    return at
  }
  const allFiles = ['loupe.db', 'loupe.toml', 'loupe.lock', 'loupe.audit', 'loupe.backup', 'jobs/.sequence']

  test.each(verbs.filter((words) => !['recover', 'backup list', 'backup verify'].includes(words)))(
    '%s reports it and names the command that restores it',
    async (words) => {
      const at = join(folder, 'lost')
      if (!(await readdir(folder)).includes('lost')) await without('lost', ['loupe.db'])
      const { code, stdout, stderr } = await ask(at, words)
      expect([code, stdout]).toEqual([5, ''])
      expect(stderr).toMatch(/^The database .*loupe\.db is missing: .*"loupe backup restore".*"loupe recover".*\n$/)
      expect(await readdir(at)).not.toContain('loupe.db')
    },
  )

  test('recover creates a new one from the replicas, also when only folders are left', async () => {
    const at = await without('recovered', allFiles)
    expect(await ask(at, 'jobs')).toMatchObject({ code: 5 })
    expect(await ask(at, 'recover')).toMatchObject({ code: 0 })
    expect(JSON.parse((await ask(at, '--json jobs')).stdout)).toMatchObject([{ job: 1 }])
    expect(await ask(at, 'preserve missing')).toMatchObject({ code: 0 })
  })

  test('backups are listed, verified and restored', async () => {
    const at = await without('restored', ['loupe.db'])
    expect(await ask(at, 'backup list')).toMatchObject({ code: 0 })
    expect(await ask(at, 'backup verify')).toMatchObject({ code: 0 })
    const name = (await readdir(join(at, 'backups'))).find((each) => each.endsWith('.db')) ?? ''
    expect(await ask(at, `backup restore --yes ${name}`)).toMatchObject({ code: 0 })
    expect(JSON.parse((await ask(at, '--json jobs')).stdout)).toMatchObject([{ job: 1 }])
  })

  test('init creates an empty one, and the contents of the replicas are not forgotten', async () => {
    const at = await without('begun', ['loupe.db'])
    const begun = await ask(at, 'init')
    expect([begun.code, begun.stderr]).toEqual([1, expect.stringMatching(/holds 2 files that .* "loupe recover"/)])
    const status = await ask(at, 'preserve status')
    expect([status.code, status.stdout]).toEqual([1, expect.stringContaining('loupe recover')])
  })
})

describe('a window', () => {
  const options = { version: '0.0.0', port: 0, onBug: () => undefined, log: () => undefined }

  test('creates an archive at its first start', async () => {
    const at = join(folder, 'first start')
    const serving = await serve({ ...options, archiveFolder: at })
    await serving.close()
    expect(await ask(at, 'jobs')).toMatchObject({ code: 0 })
  })

  test('is refused in a folder with other files, before anything is built or downloaded for it', async () => {
    const foreign = await foreignFolder('no window')
    await expect(serve({ ...options, archiveFolder: foreign })).rejects.toMatchObject({ code: 'refused' })
    const { code, stdout, stderr } = await started(['--archive', foreign], {})
    expect([code, stdout, stderr]).toEqual([4, '', expect.stringMatching(/contains other files, but no archive/)])
    expect(await readdir(foreign)).toEqual(['backups', 'holiday.jpg', 'lib'])
  })

  test('LOUPE_ARCHIVE names its archive, and that of the command line, unless an option does', async () => {
    const foreign = await foreignFolder('named')
    const { code, stderr } = await started(['--no-window'], { LOUPE_ARCHIVE: foreign })
    expect([code, stderr]).toEqual([4, expect.stringMatching(/named contains other files/)])
    const cli = join(import.meta.dirname, '../../src-main/shells/cli/cli.ts')
    expect(await run(cli, ['--json', 'jobs'], { LOUPE_ARCHIVE: archive })).toMatchObject({ code: 0 })
    const other = await run(cli, ['--archive', archive, 'jobs'], { LOUPE_ARCHIVE: foreign })
    expect(other).toMatchObject({ code: 0 })
  })
})

/** Runs `npm start`. */
const started = (words: string[], environment: NodeJS.ProcessEnv) =>
  run(join(import.meta.dirname, '../../src-main/shells/start.ts'), words, environment)

async function run(main: string, words: string[], environment: NodeJS.ProcessEnv): Promise<Ended> {
  const child = spawn(process.execPath, [main, ...words], { env: { ...process.env, ...environment } })
  child.stdin.end()
  const [stdout, stderr] = await Promise.all([textOf(child.stdout), textOf(child.stderr), once(child, 'exit')])
  return { code: child.exitCode, stdout, stderr }
}
