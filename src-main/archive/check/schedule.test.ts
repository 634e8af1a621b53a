import { message } from '../../contract/words/message.ts'
import { describe, expect, test } from 'vitest'
import { openStore, type Store } from '../../storage/storage.ts'
import { seededWorld, type SeededWorld } from '../../world/testing/seeded.ts'
import { openArchive } from '../store/archive.ts'
import { scheduleFirstCheckMs, scheduleCheckMs, scheduleRetryMs } from '../files/limits.ts'
import { openChecks } from '../testing/openChecks.ts'
import { scheduleStatements } from './schedule.sql.ts'
import { dueAction, openSchedule, type History, type Rhythm } from './schedule.ts'
import { openSpotChecks } from './spotChecks.ts'

const dayMs = 86_400_000
const rhythm: Rhythm = { missingDays: 7, checksumsDays: 90, checksumsSample: 0, spotDays: 30, spotFiles: 2 }
const spotsAt = (answeredDay: number, triedDay = answeredDay) => ({
  answeredMs: answeredDay * dayMs,
  triedMs: triedDay * dayMs,
})
const never: History = {
  firstStoredMs: 0,
  missing: { own: undefined, wholeEndedMs: null },
  checksums: { own: undefined, wholeEndedMs: null },
  spots: { answeredMs: null, triedMs: null },
}

describe('the due action', () => {
  const own = (
    state: 'RUNNING' | 'PAUSED' | 'DONE' | 'STOPPED' | 'INTERRUPTED' | 'FAILED',
    endedDay: number,
    { startedDay = endedDay } = {},
  ) => ({
    own: { id: 5, state, startedMs: startedDay * dayMs, endedMs: endedDay * dayMs },
    wholeEndedMs: null,
  })
  const calm = { ...never, missing: own('DONE', 99), spots: spotsAt(99) }
  const check = (kind: 'missing' | 'checksums') => ({ action: 'check', kind })
  const resume = { action: 'resume', check: 5 }
  const rows: [what: string, changes: Partial<History>, day: number, due: unknown][] = [
    ['nothing in an empty archive', { firstStoredMs: null }, 1000, undefined],
    ['nothing in a new archive', {}, 6, undefined],
    ['a check for missing files first', {}, 100, check('missing')],
    ['a spot check next', { missing: own('DONE', 99) }, 100, { action: 'spots' }],
    ['then a checksum check', calm, 100, check('checksums')],
    ['not after a check by the user', { ...calm, checksums: { own: undefined, wholeEndedMs: 20 * dayMs } }, 100, undefined],
    ['again when that check was too long ago', { ...calm, checksums: { own: undefined, wholeEndedMs: 10 * dayMs } }, 100, check('checksums')],
    ['an interrupted check is resumed', { ...calm, checksums: own('INTERRUPTED', 99) }, 100, resume],
    ['a check that the user stopped is not', { ...calm, checksums: own('STOPPED', 99) }, 100, undefined],
    ['until it is due again', { ...calm, checksums: own('STOPPED', 9) }, 100, check('checksums')],
    ['a failed check waits a day', { ...calm, checksums: own('FAILED', 99.5) }, 100, undefined],
    ['and is resumed', { ...calm, checksums: own('FAILED', 98) }, 100, resume],
    ['unless a new check is due', { ...calm, checksums: own('FAILED', 99.5, { startedDay: 10 }) }, 100, check('checksums')],
    ['a check dated in the future by a wrong clock is ignored', { ...calm, checksums: own('DONE', 5000) }, 100, check('checksums')],
    ['so is a spot check', { ...calm, spots: spotsAt(5000) }, 100, { action: 'spots' }],
    ['so is a first file', { ...calm, firstStoredMs: 5000 * dayMs }, 100, check('checksums')],
    ['a spot check that no replica answered is repeated after a day', { ...calm, spots: spotsAt(10, 98.9) }, 100, { action: 'spots' }],
    ['and not earlier', { ...calm, checksums: own('DONE', 99), spots: spotsAt(10, 99.1) }, 100, undefined],
    ['nor before an interval has passed since the last answer', { ...calm, checksums: own('DONE', 99), spots: spotsAt(80, 90) }, 100, undefined],
    ['a check that the user paused is not resumed', { ...calm, checksums: own('PAUSED', 99) }, 100, undefined],
    ['but a new one is started after an interval', { ...calm, checksums: own('PAUSED', 9) }, 100, check('checksums')],
    ['nothing while a check runs', { ...calm, checksums: own('RUNNING', 0) }, 100, undefined],
  ] // prettier-ignore
  test.each(rows)('%s', (_, changes, day, due) => {
    expect(dueAction(rhythm, { ...never, ...changes }, day * dayMs)).toEqual(due)
  })
  test('0 is never', () => {
    const off: Rhythm = { ...rhythm, missingDays: 0, checksumsDays: 0, spotDays: 0 }
    expect(dueAction(off, never, 1e6 * dayMs)).toBeUndefined()
    expect(dueAction(off, { ...never, checksums: own('INTERRUPTED', 1) }, 1e6 * dayMs)).toBeUndefined()
  })
})

test('a check of all replicas of the settings is one of all, also where the database knows others', () => {
  const store = openStore(':memory:')
  const fill = [
    `INSERT INTO archive_file (id, name, bytes, sha256, kind, registered_ms) VALUES (1, 'a', 1, 'x', 'content', 1)`,
    `INSERT INTO replica_file (file_id, replica, upload_state) VALUES (1, 'ONE', 'UPLOAD_COMPLETED'), (1, 'LEFT', 'UPLOAD_COMPLETED')`,
    `INSERT INTO task (id, kind, subject, state, started_by, started_ms, ended_ms)
     VALUES (1, 'checksums', '{}', 'DONE', 'user', 5, 7)`,
    `INSERT INTO preservation_check (task_id, replicas) VALUES (1, '["ONE"]')`,
  ]
  for (const sql of fill) store.statement(sql).run({})
  const { lastWhole } = scheduleStatements(store)
  const endOf = (...replicas: string[]) =>
    lastWhole.get({ kind: 'checksums', untilMs: 100, replicas: JSON.stringify(replicas) })?.endedMs
  expect([endOf('ONE'), endOf('ONE', 'NEW')]).toEqual([7, null])
  store.close()
})

async function opened(world: SeededWorld, store: Store, changes: Partial<Rhythm> = {}) {
  const archive = await openArchive({
    store,
    world,
    replicas: ['ONE', 'TWO'].map((name) => ({ name, folder: `/${name}` })),
    // A file of this test takes two seconds.
    limits: { freeBytesMin: 0, freeBytesToAcceptMin: 0, quietBytesPerSecondMax: 1_000 },
  })
  const bugs: unknown[] = []
  const onBug = (error: unknown) => void bugs.push(error)
  const { preservation, tasks, close } = await openChecks({ archive, store, world, onBug })
  let isUnavailable = false
  const replicas = ['ONE', 'TWO'].map((name) => ({
    name,
    kind: 'files' as const,
    problem: () => Promise.resolve(isUnavailable ? message('replica.left', { replica: name }) : undefined),
    checksum: () => Promise.resolve({ sha256: 'the same' }),
  }))
  const spotChecks = await openSpotChecks({ replicas, limits: archive.limits, store, tasks, world })
  const schedule = openSchedule({ preservation, tasks, spotChecks, replicas: ['ONE', 'TWO'], store, world, rhythm: () => ({ ...rhythm, ...changes }), onBug }) // prettier-ignore
  const shown = () =>
    preservation
      .checks()
      .toReversed()
      .map((check) => `${check.startedBy} ${check.kind} ${check.state} ${check.filesDone}/${check.filesTotal}`)
  return {
    archive,
    preservation,
    tasks,
    spotChecks,
    bugs,
    shown,
    setUnavailable: (is: boolean) => void (isUnavailable = is),
    async close() {
      await schedule.close()
      await close()
    },
  }
}

async function fill(archive: Awaited<ReturnType<typeof opened>>['archive'], world: SeededWorld) {
  for (let number = 1; number <= 4; number++) {
    await world.disk.write(`/local-${number}`, Buffer.alloc(1_000, number))
    await archive.store({ path: `/local-${number}`, name: `${number}.warc`, kind: 'content', jobId: 1 })
  }
}

describe('the schedule', () => {
  const inWorld = (act: (world: SeededWorld, store: Store) => Promise<void>) => {
    const world = seededWorld({ seed: 8 })
    return world.run(act(world, openStore(':memory:')))
  }

  test('nothing at the start; then each check at its interval, and every file is read', () =>
    inWorld(async (world, store) => {
      const setting = await opened(world, store)
      await fill(setting.archive, world)
      await world.clock.sleep(scheduleFirstCheckMs + dayMs)
      expect(setting.shown()).toEqual([])
      await world.clock.sleep(7 * dayMs)
      expect(setting.shown()).toEqual(['schedule missing DONE 8/8'])
      await world.clock.sleep(23 * dayMs)
      expect(setting.spotChecks.last()).toMatchObject({ startedBy: 'schedule', files: [{}, {}] })
      await world.clock.sleep(60 * dayMs)
      expect(setting.shown().filter((line) => line.includes('checksums'))).toEqual(['schedule checksums DONE 8/8'])
      expect(setting.shown().filter((line) => line.includes('missing')).length).toBeGreaterThan(10)
      expect(setting.bugs).toEqual([])
      await setting.close()
    }))

  test('a spot check that no replica could answer is repeated a day later, and then after its interval', () =>
    inWorld(async (world, store) => {
      const setting = await opened(world, store, { missingDays: 0, checksumsDays: 0, spotDays: 30 })
      await fill(setting.archive, world)
      const checks = () =>
        store.statement<object, { count: number }>("SELECT COUNT(*) AS count FROM task WHERE kind = 'spot'").get({})
      setting.setUnavailable(true)
      await world.clock.sleep(30.5 * dayMs)
      expect(setting.spotChecks.last()).toMatchObject({ files: [{ verdict: 'none' }, { verdict: 'none' }] })
      expect(checks()).toEqual({ count: 1 })
      setting.setUnavailable(false)
      await world.clock.sleep(scheduleRetryMs)
      expect(setting.spotChecks.last()).toMatchObject({ files: [{ verdict: 'agree' }, { verdict: 'agree' }] })
      await world.clock.sleep(28 * dayMs)
      expect(checks()).toEqual({ count: 2 })
      await setting.close()
    }))

  test('a sample reads only its number of files', () =>
    inWorld(async (world, store) => {
      const setting = await opened(world, store, { missingDays: 0, spotDays: 0, checksumsDays: 1, checksumsSample: 1 })
      await fill(setting.archive, world)
      await world.clock.sleep(dayMs + 2 * scheduleCheckMs)
      expect(setting.shown()).toEqual(['schedule checksums DONE 2/2'])
      await setting.close()
    }))

  test('a check interrupted by the end of Loupe continues at the next start, at the same file', () =>
    inWorld(async (world, store) => {
      const changes = { missingDays: 0, spotDays: 0 }
      const first = await opened(world, store, changes)
      await fill(first.archive, world)
      await untilRunning(first, world)
      await first.close()
      const second = await opened(world, store, changes)
      const [stopped] = second.preservation.checks()
      expect(stopped?.state).toBe('INTERRUPTED')
      expect(stopped?.filesDone).toBeGreaterThan(0)
      expect(stopped?.filesDone).toBeLessThan(8)
      await world.clock.sleep(scheduleFirstCheckMs + 60_000)
      expect(second.shown()).toEqual(['schedule checksums DONE 8/8'])
      expect(second.bugs).toEqual([])
      await second.close()
    }))

  test('it makes way for a check by the user, and continues afterwards', () =>
    inWorld(async (world, store) => {
      const setting = await opened(world, store, { missingDays: 0, spotDays: 0 })
      await fill(setting.archive, world)
      await untilRunning(setting, world)
      const { task: check } = await setting.preservation.check({ kind: 'missing', replica: 'ONE' })
      expect(setting.shown()[0]).toMatch(/schedule checksums INTERRUPTED/)
      expect((await setting.preservation.ended(check)).state).toBe('DONE')
      await world.clock.sleep(2 * scheduleCheckMs)
      expect(setting.shown()).toEqual(['schedule checksums DONE 8/8', 'user missing DONE 4/4'])
      await setting.close()
    }))

  test('a check that the user stopped stays stopped until the next interval', () =>
    inWorld(async (world, store) => {
      const setting = await opened(world, store, { missingDays: 0, spotDays: 0 })
      await fill(setting.archive, world)
      await untilRunning(setting, world)
      await setting.tasks.stop(1)
      await world.clock.sleep(80 * dayMs)
      expect(setting.shown()).toHaveLength(1)
      await world.clock.sleep(11 * dayMs)
      expect(setting.shown()[1]).toBe('schedule checksums DONE 8/8')
      await setting.close()
    }))

  test('a check of a disconnected drive is retried once a day, and continues when the drive is back', () =>
    inWorld(async (world, store) => {
      const setting = await opened(world, store, { missingDays: 2, checksumsDays: 0, spotDays: 0 })
      await fill(setting.archive, world)
      await world.disk.rename('/TWO', '/away')
      await world.clock.sleep(2.5 * dayMs)
      expect(setting.shown()).toEqual(['schedule missing FAILED 4/8'])
      await world.disk.rename('/away', '/TWO')
      await world.clock.sleep(scheduleRetryMs)
      expect(setting.shown()[0]).toBe('schedule missing DONE 8/8')
      expect(setting.bugs).toEqual([])
      await setting.close()
    }))

  test('a drive that stays disconnected does not keep the other replicas from being checked', () =>
    inWorld(async (world, store) => {
      const setting = await opened(world, store, { missingDays: 7, checksumsDays: 0, spotDays: 0 })
      await fill(setting.archive, world)
      await world.disk.rename('/TWO', '/away')
      await world.clock.sleep(10 * dayMs)
      await world.disk.remove('/ONE/1.warc')
      await world.clock.sleep(7 * dayMs)
      expect(setting.shown()).toEqual(['schedule missing FAILED 4/8', 'schedule missing FAILED 4/8'])
      expect(setting.preservation.findings()).toMatchObject([{ replica: 'ONE', name: '1.warc', finding: 'missing' }])
      await setting.close()
    }))

  test('checks made while the clock was wrong neither postpone later ones for years nor are repeated at once', () =>
    inWorld(async (world, store) => {
      const setting = await opened(world, store, { missingDays: 7, checksumsDays: 0, spotDays: 0 })
      await fill(setting.archive, world)
      const { task: check } = await setting.preservation.check({ kind: 'missing' })
      await setting.preservation.ended(check)
      store.statement(`UPDATE task SET ended_ms = ended_ms + @aheadMs`).run({ aheadMs: 3650 * dayMs })
      await world.clock.sleep(15 * dayMs)
      expect(setting.shown()).toEqual([
        'user missing DONE 8/8',
        'schedule missing DONE 8/8',
        'schedule missing DONE 8/8',
      ])
      await setting.close()
    }))

  /** Waits for the check, then four of its eight seconds. */
  async function untilRunning({ preservation, tasks }: Awaited<ReturnType<typeof opened>>, world: SeededWorld) {
    await new Promise<void>((resolve) => tasks.onChange(() => resolve()))
    await world.clock.sleep(4_000)
    expect(preservation.checks()[0]?.state).toBe('RUNNING')
  }
})
