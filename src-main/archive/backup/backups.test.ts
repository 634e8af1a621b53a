import { join } from 'node:path'
import { message } from '../../contract/words/message.ts'
import { textOf } from '../../contract/words/render.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Fault } from '../../contract/calls/faults.ts'
import { seededWorld, type SeededWorld } from '../../world/testing/seeded.ts'
import { DiskFault, type Disk } from '../../world/world.ts'
import {
  archiveFolder,
  backupFolder,
  openOn,
  realDatabase,
  usualSettings,
  type RealDatabase,
} from '../testing/backupFixtures.ts'
import type { Backups } from './backups.ts'
import { manifestName, manifestOf } from './manifest.ts'

const dayMs = 86_400_000
let database: RealDatabase
beforeEach(() => {
  database = realDatabase()
  database.change()
})
afterEach(() => database.close())

const inWorld = (act: (world: SeededWorld) => Promise<void>, seed = 3) => {
  const world = seededWorld({ seed })
  return world.run(act(world))
}

async function namesIn(disk: Disk, folder = backupFolder): Promise<string[]> {
  return (await disk.list(folder)).map(({ name }) => name)
}

const outcomes = async (backups: Backups) =>
  (await backups.list()).map(({ state, manifest }) => `${state} ${manifest?.made.slice(0, 10)}`)

async function refusal(act: Promise<unknown>): Promise<string> {
  const error = await act.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof Fault)) throw new Error('it was not refused', { cause: error })
  return `${error.code}: ${error.message}`
}

describe('creating', () => {
  test('a backup has a name and a manifest, and leaves no other files', () =>
    inWorld(async (world) => {
      const { backups } = await openOn(world, database)
      await world.disk.write(join(archiveFolder, 'loupe.toml'), Buffer.from('[places]\nONE = "Aarhus"\n'))
      const { outcome, backup, removed } = await backups.make({ by: 'user' })
      expect([outcome, backup.state, removed]).toEqual(['made', 'good', []])
      expect(await namesIn(world.disk)).toEqual([backup.name, manifestName(backup.name)])
      expect(await namesIn(world.disk, archiveFolder)).toEqual(['loupe.backup', 'loupe.toml'])
      const text = Buffer.from(await world.disk.read(join(backupFolder, manifestName(backup.name)), 1e6)).toString()
      const manifest = manifestOf(backup.name, text)
      expect(manifest).toMatchObject({ folder: archiveFolder, jobs: 0, settings: '[places]\nONE = "Aarhus"\n' })
      expect(manifest?.sha256).toBe(backup.sha256)
    }))

  test('an unchanged database needs no further backup and counts as fresh', () =>
    inWorld(async (world) => {
      const { backups } = await openOn(world, database)
      await backups.make({ by: 'user' })
      await world.clock.sleep(5 * dayMs)
      const { outcome, backup } = await backups.make({ by: 'user' })
      expect([outcome, backup.manifest?.made.slice(0, 10), backup.manifest?.confirmed.slice(0, 10)]).toEqual([
        'unchanged',
        '2026-01-01',
        '2026-01-06',
      ])
      expect(await namesIn(world.disk)).toHaveLength(2)
      expect(await backups.status()).toMatchObject({ kept: 1, next: '2026-01-07T00:00:00.000Z'.replace('T00:00:00.000Z', backup.manifest?.confirmed.slice(10) ?? '') }) // prettier-ignore
    }))

  test('the same content is written again when the last backup is no longer good', () =>
    inWorld(async (world) => {
      const { backups } = await openOn(world, database)
      const first = await backups.make({ by: 'user' })
      world.disk.corrupt(first.backup.path, 5_000)
      await world.clock.sleep(dayMs)
      expect((await backups.make({ by: 'user' })).outcome).toBe('made')
      expect(await outcomes(backups)).toEqual(['good 2026-01-02', 'damaged 2026-01-01'])
      const { findings } = await backups.status()
      expect(findings).toMatchObject([{ kind: 'damaged', name: first.backup.name }])
    }))

  test('outdated ones are removed if they are unchanged', () =>
    inWorld(async (world) => {
      const { backups } = await openOn(world, database)
      const made: string[] = []
      for (let day = 0; day < 4; day++) {
        database.change()
        made.push((await backups.make({ by: 'user' })).backup.path)
        await world.clock.sleep(4 * dayMs)
      }
      expect(await outcomes(backups)).toEqual(['good 2026-01-13', 'good 2026-01-09', 'good 2026-01-05'])
      // The second is damaged without Loupe: it is not removed, and neither is a file that Loupe did not make.
      world.disk.corrupt(made[1] ?? '', 5_000)
      await world.disk.write(join(backupFolder, 'holiday.jpg'), Buffer.from('x'))
      await world.disk.write(join(backupFolder, '.loupe-ffffffff-20260101T000000Z.db.part'), Buffer.from('x'))
      await world.clock.sleep(40 * dayMs)
      database.change()
      const { removed } = await backups.make({ by: 'user' })
      expect(removed).toEqual([made[2]?.slice(backupFolder.length + 1)])
      expect(await outcomes(backups)).toEqual(['good 2026-02-26', 'good 2026-01-13', 'damaged 2026-01-05'])
      expect(await namesIn(world.disk)).toEqual(
        expect.arrayContaining(['holiday.jpg', '.loupe-ffffffff-20260101T000000Z.db.part']),
      )
    }))

  test('backups of two archives in one folder do not affect each other', () =>
    inWorld(async (world) => {
      const other = realDatabase()
      const [one, two] = [await openOn(world, database), await openOn(world, other, { archiveFolder: '/archive/two' })]
      await world.disk.makeFolder('/archive/two')
      other.change()
      await one.backups.make({ by: 'user' })
      await two.backups.make({ by: 'user' })
      await world.clock.sleep(100 * dayMs)
      for (const [{ backups }, its] of [
        [one, database],
        [two, other],
      ] as const) {
        its.change()
        await backups.make({ by: 'user' })
        its.change()
        await backups.make({ by: 'user' })
      }
      const states = (await one.backups.list()).map(({ state }) => state).toSorted()
      expect(states).toEqual(['good', 'good', 'otherArchive', 'otherArchive'])
      expect(await two.backups.status()).toMatchObject({ kept: 2, findings: [] })
      other.close()
    }))

  test('two concurrent requests get the same backup', () =>
    inWorld(async (world) => {
      const { backups } = await openOn(world, database)
      const [one, two] = await Promise.all([backups.make({ by: 'schedule' }), backups.make({ by: 'user' })])
      expect(one).toBe(two)
    }))

  test('closing during a backup leaves no file and is not a failure', () =>
    inWorld(async (world) => {
      const { backups } = await openOn(world, database)
      const making = refusal(backups.make({ by: 'user' }))
      await backups.close()
      expect(await making).toMatch(/^stopped: /)
      const { backups: next } = await openOn(world, database)
      expect(await next.status()).toMatchObject({ findings: [], last: null })
    }))
})

describe('failures are recorded', () => {
  test('a damaged database is reported, and the last good backup stays', () =>
    inWorld(async (world) => {
      const { backups } = await openOn(world, database)
      await backups.make({ by: 'user' })
      await world.clock.sleep(100 * dayMs)
      const copy = {
        write: () =>
          Promise.resolve({ problems: [message('text', { text: 'row 7 missing from index job_by_state' })] }),
        check: database.copyOn(world).check,
      }
      const damaged = await openOn(world, database, { copy })
      expect(await refusal(damaged.backups.make({ by: 'user' }))).toMatch(
        /^damaged: The database .* is damaged \(row 7 missing .*loupe backup restore/,
      )
      expect(await damaged.backups.status()).toMatchObject({ kept: 1, findings: [{ kind: 'database' }] })
      // The finding survives a restart until a check finds the database intact.
      const { backups: next } = await openOn(world, database)
      expect((await next.status()).findings).toMatchObject([{ kind: 'database' }])
      await next.make({ by: 'user' })
      expect((await next.status()).findings).toEqual([])
    }))

  test('no space', () =>
    inWorld(async (world) => {
      const limits = { ...(await import('../files/limits.ts')).defaultArchiveLimits, freeBytesMin: 2 ** 41 }
      const { backups } = await openOn(world, database, { limits })
      expect(await refusal(backups.make({ by: 'user' }))).toMatch(
        /^noSpace: Not enough space for a backup in \/drive\/backups/,
      )
      expect((await backups.status()).findings).toMatchObject([{ kind: 'failed' }])
    }))

  test('a missing drive is not written to at its mount point', () =>
    inWorld(async (world) => {
      const { backups } = await openOn(world, database)
      await backups.make({ by: 'user' })
      await world.disk.rename('/drive', '/away')
      expect(await refusal(backups.make({ by: 'user' }))).toMatch(/^unreachable: .*connect its drive/)
      expect(await world.disk.stat('/drive')).toBeUndefined()
      // An empty mount point also counts as unreachable.
      await world.disk.makeFolder(backupFolder)
      expect(await refusal(backups.make({ by: 'user' }))).toMatch(/^unreachable: .*connect its drive/)
      expect(await namesIn(world.disk)).toEqual([])
      expect(await backups.status()).toMatchObject({ reachable: true, last: null, findings: [{ kind: 'failed' }] })
      expect((await backups.make({ by: 'user', emptied: true })).outcome).toBe('made')
      expect((await backups.status()).findings).toEqual([])
    }))

  test('the last backup is known while its drive is away', () =>
    inWorld(async (world) => {
      const { backups } = await openOn(world, database)
      const { backup } = await backups.make({ by: 'user' })
      await world.disk.rename('/drive', '/away')
      const { backups: next } = await openOn(world, database)
      expect(await next.status()).toMatchObject({ reachable: false, last: { name: backup.name }, findings: [], current: true }) // prettier-ignore
      expect(await refusal(next.list())).toMatch(/^unreachable: /)
    }))

  test('a folder in a replica is refused', () =>
    inWorld(async (world) => {
      const settings = () => ({ ...usualSettings, folder: '/archive/replicas/ONE/backups' })
      const { backups } = await openOn(world, database, { settings })
      expect(await refusal(backups.make({ by: 'user' }))).toMatch(/^refused: .*is inside the folder of replica ONE/)
      expect(await world.disk.stat('/archive/replicas/ONE/backups')).toBeUndefined()
    }))

  test('an incomplete backup gets no name', () =>
    inWorld(async (world) => {
      const real = database.copyOn(world)
      const copy = {
        ...real,
        check: () =>
          Promise.resolve({ problems: [message('text', { text: 'torn' })], schemaVersion: 0, content: undefined }),
      }
      const { backups } = await openOn(world, database, { copy })
      expect(await refusal(backups.make({ by: 'user' }))).toMatch(/was damaged \(torn\)/)
      expect(await namesIn(world.disk)).toEqual([])
    }))
})

describe('verifying', () => {
  test('each is read, and the manifest records when and with what result', () =>
    inWorld(async (world) => {
      const { backups } = await openOn(world, database)
      const first = await backups.make({ by: 'user' })
      database.change()
      await world.clock.sleep(dayMs)
      const second = await backups.make({ by: 'user' })
      await world.clock.sleep(dayMs)
      world.disk.corrupt(second.backup.path, 5_000)
      expect((await backups.verify()).map(({ state }) => state)).toEqual(['damaged', 'good'])
      expect(await outcomes(backups)).toEqual(['damaged 2026-01-02', 'good 2026-01-01'])
      expect((await backups.list())[1]?.manifest?.verified.slice(0, 10)).toBe('2026-01-03')
      // The newest that is good is the older one now.
      expect((await backups.status()).last?.name).toBe(first.backup.name)
      expect(await refusal(backups.verify('loupe-00000000-20260101T000000Z.db'))).toMatch(/^notFound: /)
    }))

  test('a backup that was repaired from elsewhere is good again', () =>
    inWorld(async (world) => {
      const { backups } = await openOn(world, database)
      const { backup } = await backups.make({ by: 'user' })
      const bytes = await world.disk.read(backup.path, 1e8)
      await world.disk.write(backup.path, bytes.slice(0, 9_000))
      expect((await backups.verify(backup.name))[0]).toMatchObject({ state: 'damaged' })
      await world.disk.remove(backup.path)
      expect((await backups.verify())[0]).toMatchObject({ state: 'missing' })
      await world.disk.write(backup.path, bytes)
      expect((await backups.verify())[0]).toMatchObject({ state: 'good', problem: null })
    }))
})

/** Invariants after any fault: every file named like a backup is intact, the next attempt succeeds and leaves only intact backups
 *  with their manifests, and no good backup is lost. */
async function questions(world: SeededWorld, before: readonly string[]): Promise<string[]> {
  const wrong: string[] = []
  const named = (await namesIn(world.disk)).filter((name) => /^loupe-.*\.db$/.test(name))
  const { backups } = await openOn(world, database)
  for (const { name, state, problem } of await backups.verify()) {
    if (!named.includes(name)) wrong.push(`${name} is listed and not there`)
    else if (state !== 'good') wrong.push(`${name} is ${state}: ${problem ? textOf(problem) : state}`)
  }
  database.set(3)
  await backups.make({ by: 'user' })
  const rows = await backups.list()
  const expected = rows.flatMap(({ name }) => [name, manifestName(name)]).toSorted()
  const lies = (await namesIn(world.disk)).toSorted()
  if (JSON.stringify(lies) !== JSON.stringify(expected)) wrong.push(`there lie ${lies.join(', ')}`)
  for (const { name, state } of rows) if (state !== 'good') wrong.push(`${name} is ${state} in the end`)
  const names = rows.map(({ name }) => name)
  wrong.push(...before.filter((name) => !names.includes(name)).map((name) => `${name} is gone`))
  const { findings } = await backups.status()
  wrong.push(...findings.map(({ message }) => textOf(message)))
  const inArchive = await namesIn(world.disk, archiveFolder)
  if (inArchive.some((name) => name.includes('snapshot'))) wrong.push('a snapshot with its sessions is left')
  return wrong
}

/** A world with one backup and a later change. Pass a `keepCount` high enough that the invariant checks remove no backup. */
async function prepared(world: SeededWorld, keepCount: number): Promise<{ backups: Backups; before: string[] }> {
  const settings = () => ({ ...usualSettings, keepCount, keepDays: 0 })
  const { backups } = await openOn(world, database, { settings })
  database.set(1)
  const { backup } = await backups.make({ by: 'user' })
  await world.clock.sleep(dayMs)
  database.set(2)
  return { backups, before: [backup.name] }
}

async function settled(act: Promise<unknown>): Promise<void> {
  await act.catch((error: unknown) => {
    if (!(error instanceof Fault || error instanceof DiskFault)) throw error
  })
}

test(
  'the power may go at any call: a whole backup is left, or a part that the next one removes',
  { timeout: 300_000 },
  async () => {
    const wrong: string[] = []
    for (let at = 1, isOver = false; !isOver; at += 1) {
      const world = seededWorld({ seed: at })
      const { backups, before } = await world.run(prepared(world, 9))
      isOver = (await world.runUntilCut(settled(backups.make({ by: 'user' })), at)) !== undefined
      const next = world.crash()
      wrong.push(...(await next.run(questions(next, before))).map((text) => `At ${at}: ${text}`))
    }
    expect(wrong).toEqual([])
  },
)

test('power failure at any call while an outdated one is removed', { timeout: 300_000 }, async () => {
  const wrong: string[] = []
  for (let at = 1, isOver = false; !isOver; at += 1) {
    const world = seededWorld({ seed: at })
    const { backups } = await world.run(prepared(world, 1))
    isOver = (await world.runUntilCut(settled(backups.make({ by: 'user' })), at)) !== undefined
    const next = world.crash()
    // The outdated one may be gone or not.
    wrong.push(...(await next.run(questions(next, []))).map((text) => `At ${at}: ${text}`))
  }
  expect(wrong).toEqual([])
})

const faults = {
  'full from then on': { code: 'full', calls: ['append', 'write'] },
  'read-only from then on': {
    code: 'denied',
    calls: ['openWrite', 'append', 'rename', 'remove', 'write', 'makeFolder'],
  },
  'away from then on': { code: 'failed' },
  'not syncing': { code: 'failed', calls: ['sync', 'syncFile', 'syncFolder'], times: 1 },
  'refusing one rename': { code: 'failed', calls: ['rename'], times: 1 },
} as const
test.each(Object.entries(faults))('the drive may be %s, at any call', { timeout: 300_000 }, async (_, fault) => {
  const wrong: string[] = []
  for (let after = 0, struck = 1; struck > 0; after += 1) {
    const world = seededWorld({ seed: after })
    const { backups, before } = await world.run(prepared(world, 9))
    const heal = world.disk.fail({ ...fault, path: /^\/drive/, after })
    await world.run(settled(backups.make({ by: 'user' })))
    struck = heal()
    wrong.push(...(await world.run(questions(world, before))).map((text) => `After ${after}: ${text}`))
  }
  expect(wrong).toEqual([])
})
