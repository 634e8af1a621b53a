import { appendFileSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs' // prettier-ignore
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Fault } from '../../contract/calls/faults.ts'
import { newestSchemaVersion } from '../../storage/schema/migrations.ts'
import { openStore } from '../../storage/storage.ts'
import { realWorld } from '../../world/real.ts'
import { openAuditLog } from '../audit/audit.ts'
import { openAuditHead } from '../audit/auditHead.ts'
import { defaultArchiveLimits } from '../files/limits.ts'
import { openBackups } from './backups.ts'
import { manifestName } from './manifest.ts'
import { restoreDatabase, type RestoreOrder, type RestoreParts } from './restore.ts'

const world = realWorld()
const never = new AbortController().signal
let folder = ''
let archiveFolder = ''
let databasePath = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'loupe-restore-'))
  archiveFolder = join(folder, 'archive')
  databasePath = join(archiveFolder, 'loupe.db')
  mkdirSync(archiveFolder)
})
afterEach(() => rmSync(folder, { recursive: true }))

/** The archive is used: a harvest is added, the audit log gets an entry, the file next to it names that. */
async function use(name: string): Promise<void> {
  const store = openStore(databasePath)
  store.statement<{ name: string }>("INSERT INTO harvest (name, kind, definition, created_ms) VALUES (@name, 'event', '{}', 0)").run({ name }) // prettier-ignore
  const auditLog = openAuditLog(store)
  auditLog.append({ who: 'user', what: 'store', subject: name }, world.clock.now())
  const head = await openAuditHead({ world, auditLog, path: join(archiveFolder, 'loupe.audit'), onFault: raise })
  await head.close()
  store.close()
}

function raise(error: unknown): never {
  throw error
}

/** Makes a backup as the engine does, with threads. */
async function backedUp(): Promise<string> {
  const store = openStore(databasePath)
  const backups = await openBackups({
    ...{ world, store, databasePath, archiveFolder, software: 'Loupe/test', replicas: [], leftOut: ['cookie'] },
    settings: () => ({ folder: join(folder, 'backups'), everyHours: 0, keepCount: 9, keepDays: 9 }),
    ...{ limits: { ...defaultArchiveLimits, freeBytesMin: 0 }, isScheduled: false, onProblem: raise },
  })
  const { backup } = await backups.make({ by: 'user' })
  await backups.close()
  store.close()
  return backup.path
}

const restored = (
  path: string,
  { changes = {}, ...order }: Partial<RestoreOrder> & { changes?: Partial<RestoreParts> } = {},
) =>
  restoreDatabase(
    { world, archiveFolder, signal: never, onProgress: () => undefined, ...changes },
    { path, ofAnyArchive: false, confirm: () => Promise.resolve(true), ...order },
  )

function harvests(path = databasePath): string[] {
  const store = openStore(path)
  const rows = store.statement<object, { name: string }>('SELECT name FROM harvest ORDER BY id').all({})
  store.close()
  return rows.map(({ name }) => name)
}

/** Names and contents, without what SQLite keeps next to an open database. */
function everything(): Record<string, string> {
  const names = readdirSync(archiveFolder).filter((name) => !/-(wal|shm)$/.test(name))
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(archiveFolder, name), 'latin1')]))
}

async function refusal(act: Promise<unknown>): Promise<string> {
  const error = await act.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof Fault)) throw new Error('it was not refused', { cause: error })
  return `${error.code}: ${error.message}`
}

test('the backup replaces the database, which is kept, and the restored audit log records it', async () => {
  await use('first')
  const path = await backedUp()
  await use('second')
  const before = everything()
  const outcome = await restored(path)
  expect(outcome).toMatchObject({ path, content: { jobs: 0, files: 0, auditNumber: 2 } })
  const movedTo = outcome?.movedTo ?? ''
  expect(movedTo).toMatch(/^loupe\.db\.before-restore-\d{8}T\d{6}Z$/)
  expect(harvests()).toEqual(['first'])
  const after = everything()
  expect(after[movedTo]).toBe(before['loupe.db'])
  // The old one names an entry that the restored audit log does not have; the next start makes a new one.
  const audit = `loupe.audit.${movedTo.slice('loupe.db.'.length)}`
  expect([after['loupe.audit'], after[audit]]).toEqual([undefined, before['loupe.audit']])
  expect(Object.keys(after).toSorted()).toEqual(['loupe.backup', 'loupe.db', audit, movedTo].toSorted())

  const store = openStore(databasePath)
  const auditLog = openAuditLog(store)
  expect(auditLog.page({ offset: 0, limit: 1 }).rows).toMatchObject([
    {
      number: 3,
      who: 'user',
      what: 'databaseRestored',
      subject: path.slice(folder.length + '/backups/'.length),
      was: { movedTo, lastEntry: before['loupe.audit']?.trim() },
      became: { path, lastEntry: 2 },
    },
  ])
  expect((await auditLog.verifyChain(() => Promise.resolve())).broken).toBeUndefined()
  const head = await openAuditHead({ world, auditLog, path: join(archiveFolder, 'loupe.audit'), onFault: raise })
  expect((await head.witness()).state).toBe('agrees')
  await head.close()
  store.close()
})

test('the replaced database can be restored the same way, although it has no manifest', async () => {
  await use('first')
  const path = await backedUp()
  await use('second')
  const movedTo = (await restored(path))?.movedTo ?? ''
  const back = await restored(join(archiveFolder, movedTo))
  expect(back).toMatchObject({ manifest: undefined, content: { auditNumber: 3 } })
  expect(harvests()).toEqual(['first', 'second'])
})

test('changes that a raw copy has only in its journal are not lost', async () => {
  await use('first')
  const store = openStore(databasePath)
  store.statement("UPDATE harvest SET name = 'only in the journal'").run({})
  for (const ending of ['', '-wal']) copyFileSync(`${databasePath}${ending}`, join(folder, `copy.db${ending}`))
  store.close()
  await restored(join(folder, 'copy.db'))
  expect(harvests()).toEqual(['only in the journal'])
})

const lost: [what: string, lose: () => void][] = [
  ['damaged', () => writeFileSync(databasePath, 'no database at all\n'.repeat(1_000))],
  ['cut in half', () => writeFileSync(databasePath, readFileSync(databasePath).subarray(0, 100_000))],
  ['empty', () => writeFileSync(databasePath, '')],
  ['gone', () => rmSync(databasePath)],
  ['gone, and all that was next to it', () => readdirSync(archiveFolder).forEach((name) => rmSync(join(archiveFolder, name)))], // prettier-ignore
]
test.each(lost)('the present database may be %s', async (_, lose) => {
  writeFileSync(join(archiveFolder, 'loupe.toml'), '[places]\nONE = "Aarhus"\n')
  await use('first')
  const path = await backedUp()
  const settings = everything()['loupe.toml']
  lose()
  const isThere = existsSync(databasePath)
  const hadSettings = existsSync(join(archiveFolder, 'loupe.toml'))
  const outcome = await restored(path)
  expect([outcome?.movedTo !== null, outcome?.isSettingsRestored]).toEqual([isThere, !hadSettings])
  expect(harvests()).toEqual(['first'])
  expect(everything()['loupe.toml']).toBe(settings)
})

describe('refusals that change nothing', () => {
  const later = newestSchemaVersion + 1
  const raw = (name: string, act: (database: Database.Database) => void): string => {
    const path = join(folder, name)
    const database = new Database(path)
    act(database)
    database.close()
    return path
  }
  const text = (content: string) => {
    const path = join(folder, 'text')
    writeFileSync(path, content)
    return path
  }
  const small: RestoreParts['world'] = { ...world, disk: { ...world.disk, freeBytes: () => Promise.resolve(10) } }
  type Given = { path: string; changes?: Partial<RestoreParts> }
  const rows: [what: string, given: (backup: string) => Given, refused: RegExp][] = [
    ['a missing backup', () => ({ path: join(folder, 'absent') }), /^notFound: There is no backup .*loupe backup list/],
    ['a folder', () => ({ path: folder }), /^notFound: /],
    ['a changed backup', (path) => (appendFileSync(path, 'x'), { path }), /^damaged: .*checksum differs from the one in its manifest/],
    ['half a backup without its manifest', (path) => (rmSync(manifestName(path)), writeFileSync(path, readFileSync(path).subarray(0, 99_000)), { path }), /^damaged: .* cannot be restored/],
    ['a text', () => ({ path: text('not a database') }), /^damaged: /],
    ['an empty file', () => ({ path: text('') }), /^damaged: .*not a database of Loupe/],
    ['another program’s database', () => ({ path: raw('other', (database) => database.exec('CREATE TABLE apples (x)')) }), /^damaged: .*not a database of Loupe/],
    ['one of a newer Loupe', (path) => (rmSync(manifestName(path)), raw(path.slice(folder.length + 1), (database) => database.pragma(`user_version = ${later}`)), { path }), /^refused: .*newer version of Loupe/],
    ['too large a backup', (path) => ({ path, changes: { world: small } }), /^noSpace: /],
  ] // prettier-ignore
  test.each(rows)('%s', async (_, given, refused) => {
    await use('first')
    const path = await backedUp()
    await use('second')
    const before = everything()
    const { path: wanted, changes = {} } = given(path)
    expect(await refusal(restored(wanted, { changes }))).toMatch(refused)
    expect(everything()).toEqual(before)
    expect(harvests()).toEqual(['first', 'second'])
  })

  test('a backup of another archive, unless it is allowed', async () => {
    await use('first')
    const path = await backedUp()
    rmSync(archiveFolder, { recursive: true })
    mkdirSync(archiveFolder)
    await use('another archive')
    await backedUp()
    expect(await refusal(restored(path))).toMatch(/^refused: .*another archive.*--of-another-archive/)
    expect(harvests()).toEqual(['another archive'])
    await restored(path, { ofAnyArchive: true })
    expect(harvests()).toEqual(['first'])
  })

  test('a backup that the user sees but does not confirm', async () => {
    await use('first')
    const path = await backedUp()
    await use('second')
    const before = everything()
    const outcome = await restored(path, {
      confirm(candidate) {
        expect(candidate).toMatchObject({ path, isReplacing: true, content: { auditNumber: 2 } })
        return Promise.resolve(false)
      },
    })
    expect(outcome).toBeUndefined()
    expect(everything()).toEqual(before)
  })
})
