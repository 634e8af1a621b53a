/** Who may read the files of an archive on a machine with other accounts: no other account, or those of a group, whatever creates a file. */
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openEngine, type Engine } from '../src-main/app/engine.ts'
import { announceEngine } from '../src-main/shells/places/engineFile.ts'
import { harvestDefinition } from '../src-main/contract/services/definition.ts'
import { startManyPages } from './sites/manyPages.ts'

const isWindows = process.platform === 'win32'

let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'loupe-permissions-'))
  // Like most home folders, readable by all users.
  await chmod(root, 0o755)
})
afterAll(() => rm(root, { recursive: true, force: true }))

interface Opened {
  engine: Engine
  notices: string[]
}

async function opened(archiveFolder: string): Promise<Opened> {
  const notices: string[] = []
  const engine = await openEngine({
    ...{ archiveFolder, shell: 'cli', version: '0.0.0', run: true },
    onNotice: (sentence) => notices.push(sentence),
  })
  return { engine, notices }
}

/** An archive with one replica inside, and a file replica and a checksum replica outside. */
async function newArchive(name: string, settings = ''): Promise<{ archive: string; folders: string[] }> {
  const archive = join(root, name)
  const [two, sums] = [join(root, `${name}-two`), join(root, `${name}-sums`)]
  await mkdir(archive, { mode: 0o700 })
  const replicas = `[replicas]\nONE = "replicas/ONE"\nTWO = "${two}"\n[checksumReplicas]\nSUMS = "${sums}"\n`
  await writeFile(join(archive, 'loupe.toml'), `${replicas}${settings}`, { mode: 0o600 })
  return { archive, folders: [archive, two, sums] }
}

/** A harvest, a view, an export, a batch job, a report, a check, a password and what tells other commands of this engine. */
async function worked(engine: Engine, archive: string): Promise<void> {
  const { harvests, jobs, viewer, exports, batch, archive: kept, credentials } = engine.services
  const site = await startManyPages(40)
  const { resolve } = site
  const { job } = await harvests.create(harvestDefinition.parse({ seeds: [`${site.origin}/`], delayMs: 0, resolve }))
  await until(async () => (await jobs.show({ job })).ended !== null)
  await site.close()
  await viewer.open({ jobs: [job], untilWhole: true })
  await mkdir(`${archive}-given`, { mode: 0o755 })
  for (const path of [join(archive, 'exports', 'all.wacz'), join(`${archive}-given`, 'all.wacz')]) {
    const { task: number } = await exports.start({ jobs: [job], format: 'wacz', path, sign: true })
    await until(async () => (await exports.list({})).find((one) => one.task === number)?.ended !== null)
  }
  const { task } = await batch.start({ module: 'checksums', jobs: [job] })
  await until(async () => (await batch.list({})).find((one) => one.task === task)?.ended !== null)
  await kept.spotCheck({})
  await credentials.set({ name: 'members', user: 'ada', password: 'Xyzzy' })
  await announceEngine(archive, { origin: 'http://127.0.0.1:1', token: 't', pid: 1 })
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(20)
}

/** Everything in these folders by its permissions, the folders themselves too. */
async function byMode(folders: readonly string[]): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>()
  const note = async (path: string) => {
    const { mode } = await stat(path)
    const octal = (mode & 0o7777).toString(8)
    found.set(octal, [...(found.get(octal) ?? []), path])
  }
  for (const folder of folders) {
    await note(folder)
    for (const entry of await readdir(folder, { recursive: true })) await note(join(folder, entry))
  }
  return found
}

test.skipIf(isWindows)(
  'no other account may read anything of a new archive, whatever created it; an export elsewhere is like any file there',
  async () => {
    const { archive, folders } = await newArchive('closed')
    const { engine, notices } = await opened(archive)
    await worked(engine, archive)
    const whileOpen = await byMode(folders)
    await engine.close()
    const [modes, given] = [await byMode(folders), await byMode([join(root, 'closed-given')])]
    expect([...whileOpen.keys()].sort()).toEqual(['600', '700'])
    expect([...modes.keys()].sort()).toEqual(['600', '700'])
    // The files that were examined are those of this test.
    const closed = (name: RegExp) =>
      expect(
        whileOpen.get('600')?.filter((path) => name.test(path)),
        String(name),
      ).not.toEqual([])
    for (const name of [
      /loupe\.db$/,
      /loupe\.db-wal$/,
      /loupe\.db-shm$/,
      /loupe\.lock$/,
      /loupe\.audit$/,
      /engine\.json$/,
    ])
      closed(name)
    for (const name of [
      /private\.pem$/,
      /signing-key\.pem$/,
      /all\.wacz$/,
      /\.cdxj$/,
      /indexes\/.*\.db$/,
      /closed-two\/.*\.warc\.gz$/,
    ])
      closed(name)
    for (const name of [/ONE\/.*\.warc\.gz$/, /closed-sums\/./, /batch\/./]) closed(name)
    expect(given.get('644')).toEqual([join(root, 'closed-given', 'all.wacz')])
    expect(notices).toEqual([])
  },
)

test.skipIf(isWindows)(
  'an archive that is shared with a group is accessible to the group, except for secrets of one account',
  async () => {
    const { archive, folders } = await newArchive('shared', '[archive]\nsharedWith = "group"\n')
    const { engine, notices } = await opened(archive)
    await worked(engine, archive)
    const whileOpen = await byMode(folders)
    await engine.close()
    expect([...whileOpen.keys()].sort()).toEqual(['2770', '600', '660'])
    expect(
      whileOpen
        .get('600')
        ?.map((path) => path.replace(`${archive}/`, ''))
        .sort(),
    ).toEqual(['credentials.json', 'engine.json'])
    expect(notices).toEqual([
      `The accounts in the group of ${archive} can now open it (permissions 2770, before 0700), as the setting archive.sharedWith says.`,
    ])
  },
)

test.skipIf(isWindows)(
  'opening an archive of an earlier Loupe removes the access of other accounts, with a notice and an audit log entry',
  async () => {
    const { archive, folders } = await newArchive('earlier')
    const first = await opened(archive)
    await worked(first.engine, archive)
    await first.engine.close()
    for (const [, paths] of await byMode(folders))
      for (const path of paths) await chmod(path, (await stat(path)).isDirectory() ? 0o755 : 0o644)
    const { engine, notices } = await opened(archive)
    const [, two, sums] = folders
    expect(notices).toEqual(
      [archive, two, sums].map(
        (folder) =>
          `Other accounts of this machine could read ${folder} (permissions 0755). Loupe has closed it (0700). To share it with a group, set archive.sharedWith to "group".`,
      ),
    )
    const { rows } = await engine.services.archive.auditLog({ what: 'permissions' })
    expect(rows.toReversed()).toMatchObject(
      [archive, two, sums].map((subject) => ({
        who: 'opening',
        subject,
        was: { mode: '0755' },
        became: { mode: '0700' },
      })),
    )
    expect((await engine.services.archive.verifyAudit({})).broken).toBeNull()
    await until(async () => [...(await byMode(folders)).keys()].sort().join() === '600,700')
    await engine.close()
    const again = await opened(archive)
    expect(again.notices).toEqual([])
    await again.engine.close()
  },
)
