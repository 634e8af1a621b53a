import { afterEach, beforeEach, expect, test } from 'vitest'
import { seededWorld, type SeededWorld } from '../../world/testing/seeded.ts'
import { scheduleFirstCheckMs, scheduleCheckMs } from '../files/limits.ts'
import { backupFolder, openOn, realDatabase, usualSettings, type RealDatabase } from '../testing/backupFixtures.ts'
import { openBackupSchedule } from './backupSchedule.ts'
import { backupRetryMs } from './limits.ts'
import { messageOf } from '../../contract/text/messageOf.ts'

const hourMs = 3_600_000
let database: RealDatabase
beforeEach(() => {
  database = realDatabase()
})
afterEach(() => database.close())

const inWorld = (act: (world: SeededWorld) => Promise<void>) => {
  const world = seededWorld({ seed: 6 })
  return world.run(act(world))
}

async function scheduled(world: SeededWorld, everyHours = 24) {
  const { backups, problems } = await openOn(world, database, { settings: () => ({ ...usualSettings, everyHours }) })
  const failures: string[] = []
  const onFailure = (error: unknown) => void failures.push(messageOf(error))
  const schedule = openBackupSchedule({ backups, clock: world.clock, everyHours: () => everyHours, onFailure })
  return {
    backups,
    problems,
    failures,
    made: async () => (await backups.list()).map(({ manifest }) => manifest?.made.slice(0, 13)).toReversed(),
    close: () => Promise.all([schedule.close(), backups.close()]),
  }
}

test('the first soon after the start, then one a day, and none when nothing changed', () =>
  inWorld(async (world) => {
    const { backups, made, failures, problems, close } = await scheduled(world)
    await world.clock.sleep(scheduleFirstCheckMs + 1_000)
    expect(await made()).toEqual(['2026-01-01T00'])
    await world.clock.sleep(26 * hourMs)
    expect(await made()).toEqual(['2026-01-01T00'])
    expect((await backups.list())[0]?.manifest?.confirmed.slice(0, 13)).toBe('2026-01-02T00')
    database.change()
    await world.clock.sleep(24 * hourMs)
    expect(await made()).toEqual(['2026-01-01T00', '2026-01-03T00'])
    expect([failures, problems]).toEqual([[], []])
    await close()
  }))

test('continues its interval after a restart', () =>
  inWorld(async (world) => {
    const first = await scheduled(world)
    await world.clock.sleep(scheduleFirstCheckMs + 1_000)
    await first.close()
    database.change()
    const second = await scheduled(world)
    await world.clock.sleep(20 * hourMs)
    expect(await second.made()).toHaveLength(1)
    await world.clock.sleep(5 * hourMs)
    expect(await second.made()).toHaveLength(2)
    await second.close()
  }))

test('0 switches it off', () =>
  inWorld(async (world) => {
    const { made, close } = await scheduled(world, 0)
    await world.clock.sleep(100 * hourMs)
    expect(await made()).toEqual([])
    await close()
  }))

test('a failure is reported and retried with increasing delays, and a returned drive gets its backup', () =>
  inWorld(async (world) => {
    const { backups, failures, made, close } = await scheduled(world)
    await world.clock.sleep(scheduleFirstCheckMs + 1_000)
    await world.disk.rename('/drive', '/away')
    database.change()
    await world.clock.sleep(24 * hourMs)
    expect(failures).toEqual([expect.stringMatching(/connect its drive/)])
    await world.clock.sleep(backupRetryMs + scheduleCheckMs)
    expect(failures).toHaveLength(2)
    await world.clock.sleep(48 * hourMs)
    expect(failures.length).toBeLessThan(20)
    expect((await backups.status()).findings).toMatchObject([{ kind: 'failed' }])
    await world.disk.rename('/away', '/drive')
    await world.clock.sleep(7 * hourMs)
    expect(await made()).toHaveLength(2)
    expect((await backups.status()).findings).toEqual([])
    await close()
  }))

test('each time one of the older ones is verified, the longest unverified first', () =>
  inWorld(async (world) => {
    const { backups, close } = await scheduled(world)
    for (let day = 0; day < 3; day++) {
      await world.clock.sleep(24 * hourMs)
      database.change()
    }
    const [, middle, oldest] = await backups.list()
    // When the second was made the first was read, when the third was made the second was.
    expect(oldest?.manifest?.verified.slice(0, 10)).toBe('2026-01-02')
    expect(middle?.manifest?.verified.slice(0, 10)).toBe('2026-01-03')
    world.disk.corrupt(oldest?.path ?? '', 9_000)
    await world.clock.sleep(3 * 24 * hourMs)
    expect((await backups.status()).findings).toMatchObject([{ kind: 'damaged', name: oldest?.name }])
    await close()
  }))

test('a user does not wait for the slow verification by the schedule', () =>
  inWorld(async (world) => {
    const { backups } = await openOn(world, database, { limits: { ...slow, freeBytesMin: 0 } })
    await backups.make({ by: 'schedule' })
    database.change()
    // It begins to read the first again now, which takes an hour.
    await backups.make({ by: 'schedule' })
    await world.clock.sleep(1_000)
    expect((await backups.status()).running).toMatchObject({ phase: 'verifying' })
    database.change()
    const beganMs = world.clock.now()
    await backups.make({ by: 'user' })
    expect(world.clock.now() - beganMs).toBeLessThan(60_000)
    expect((await world.disk.list(backupFolder)).filter(({ name }) => name.endsWith('.db'))).toHaveLength(3)
    await backups.close()
  }))

const slow = {
  ...{ freeBytesToAcceptMin: 0, uploadRetries: 0, checkBytesPerSecondMax: 0, quietBytesPerSecondMax: 150 },
}
