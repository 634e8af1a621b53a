/** Checks as tasks: pause, stop and shutdown in each stage, and their audit log entries. Kills at each call are tested in
 *  `preservation.test.ts`. */
import { describe, expect, test } from 'vitest'
import { openStore, type Store } from '../../storage/storage.ts'
import type { Tasks } from '../../tasks/tasks.ts'
import { seededWorld, type SeededWorld } from '../../world/testing/seeded.ts'
import type { World } from '../../world/world.ts'
import { openAuditLog } from '../audit/audit.ts'
import { openArchive, type Archive } from '../store/archive.ts'
import { openChecks } from '../testing/openChecks.ts'
import type { Preservation } from './preservation.ts'

interface Setting {
  world: World
  store: Store
  archive: Archive
  tasks: Tasks
  preservation: Preservation
  close: () => Promise<void>
}

/** Four files of 1,000 bytes in each of two replicas: a checksum check takes two seconds per file, as two are read at the same time. */
const filesCount = 4
const limits = {
  freeBytesMin: 0,
  freeBytesToAcceptMin: 0,
  checkBytesPerSecondMax: 1_000,
  quietBytesPerSecondMax: 1_000,
}

async function opened(world: World, store: Store): Promise<Setting> {
  const replicas = ['ONE', 'TWO'].map((name) => ({ name, folder: `/${name}` }))
  const archive = await openArchive({ store, world, replicas, limits })
  const onBug = (error: unknown) => {
    throw error
  }
  return { world, store, archive, ...(await openChecks({ archive, store, world, onBug })) }
}

function inArchive(act: (setting: Setting, world: SeededWorld) => Promise<void>): Promise<void> {
  const world = seededWorld({ seed: 3 })
  return world.run(
    (async () => {
      const setting = await opened(world, openStore(':memory:'))
      for (let number = 1; number <= filesCount; number += 1) {
        await world.disk.write(`/local-${number}`, Buffer.alloc(1_000, number))
        await setting.archive.store({ path: `/local-${number}`, name: `${number}.warc`, kind: 'content', jobId: 1 })
      }
      await act(setting, world)
    })(),
  )
}

/** Entries of the audit log about checks, oldest first, as `what who state done`. */
function entries({ store }: Setting): string[] {
  const { rows } = openAuditLog(store).page({ subject: 'check', offset: 0, limit: 100 })
  return rows.toReversed().map(({ what, who, became }) => {
    const { state, filesDone } = became as { state?: string; filesDone: number }
    return [what, who, ...(state === undefined ? [] : [state]), filesDone].join(' ')
  })
}

/** A checksum check that has read one of its eight copies or more. */
async function begun({ preservation, world }: Setting, by: 'user' | 'schedule' = 'user') {
  const { task } = await preservation.check({ kind: 'checksums' }, by)
  await world.clock.sleep(3_500)
  return task
}

describe('a check', () => {
  test('is paused, leaves its replicas to others, and is resumed at the same copy', () =>
    inArchive(async (setting) => {
      const { tasks, preservation } = setting
      const task = await begun(setting)
      const paused = await tasks.pause(task)
      const { filesDone } = paused
      expect(paused).toMatchObject({ state: 'PAUSED', stage: 'checking', ended: null, canResume: true })
      expect([filesDone > 0, filesDone < 8]).toEqual([true, true])
      const other = await preservation.check({ kind: 'missing', replica: 'ONE' })
      expect(await preservation.ended(other.task)).toMatchObject({ state: 'DONE' })
      expect(await tasks.resume(task)).toMatchObject({ state: 'RUNNING', filesDone })
      expect(await preservation.ended(task)).toMatchObject({ state: 'DONE', filesDone: 8, filesTotal: 8 })
      expect(entries(setting)).toEqual([
        'checkBegun user 0',
        `checkEnded user PAUSED ${filesDone}`,
        'checkBegun user 0',
        'checkEnded user DONE 4',
        `checkBegun user ${filesDone}`,
        'checkEnded user DONE 8',
      ])
    }))

  test('is stopped while it is paused, and still continues when it is resumed', () =>
    inArchive(async (setting) => {
      const { tasks, preservation } = setting
      const task = await begun(setting)
      const { filesDone } = await tasks.pause(task)
      expect(await tasks.stop(task)).toMatchObject({ state: 'STOPPED' })
      expect(entries(setting).at(-1)).toBe(`checkEnded user STOPPED ${filesDone}`)
      await tasks.resume(task)
      expect(await preservation.ended(task)).toMatchObject({ state: 'DONE', filesDone: 8 })
    }))

  test('is interrupted by the end of Loupe, and can be resumed after the next start', () =>
    inArchive(async (setting) => {
      const task = await begun(setting)
      await setting.close()
      const next = await opened(setting.world, setting.store)
      const [interrupted] = next.preservation.checks()
      expect(interrupted).toMatchObject({ task, state: 'INTERRUPTED', startedBy: 'user', canResume: true })
      expect(entries(next).at(-1)).toBe(`checkEnded recovery INTERRUPTED ${interrupted?.filesDone}`)
      await next.tasks.resume(task)
      expect(await next.preservation.ended(task)).toMatchObject({ state: 'DONE', filesDone: 8 })
    }))

  test('started by the schedule belongs to the user who resumes it', () =>
    inArchive(async (setting) => {
      const { tasks, preservation } = setting
      const task = await begun(setting, 'schedule')
      await tasks.stop(task)
      expect(await tasks.resume(task)).toMatchObject({ startedBy: 'user' })
      // A check started by the user does not yield to another.
      await expect(preservation.check({ kind: 'missing' })).rejects.toMatchObject({ code: 'refused' })
      await preservation.ended(task)
      expect(entries(setting)[2]).toMatch(/^checkBegun user/)
    }))

  test('that is resumed interrupts one of the schedule, and is refused where another one by the user reads', () =>
    inArchive(async (setting) => {
      const { tasks, preservation } = setting
      const task = await begun(setting)
      await tasks.pause(task)
      const scheduled = await begun(setting, 'schedule')
      await tasks.resume(task)
      expect(tasks.one(scheduled)).toMatchObject({ state: 'INTERRUPTED' })
      await tasks.pause(task)
      const other = await preservation.check({ kind: 'checksums', replica: 'TWO' })
      await expect(tasks.resume(task)).rejects.toMatchObject({
        code: 'refused',
        message: `Check ${other.task} is reading the same replica: wait until it has ended, or stop it.`,
      })
      expect(tasks.one(task)).toMatchObject({ state: 'PAUSED' })
      await preservation.ended(other.task)
    }))

  test('that was interrupted while its list was written has no entry in the audit log, and writes it again', () =>
    inArchive(async (setting, world) => {
      let closed: Promise<void> | undefined
      setting.tasks.onChange(() => void (closed ??= setting.close()))
      const interrupted = await setting.preservation.check({ kind: 'missing' })
      expect(interrupted).toMatchObject({ state: 'INTERRUPTED', stage: 'listing', canResume: true })
      await closed
      expect(entries(setting)).toEqual([])
      const next = await opened(world, setting.store)
      await next.tasks.resume(interrupted.task)
      const expected = { state: 'DONE', stage: 'checking', filesDone: 8, filesTotal: 8 }
      expect(await next.preservation.ended(interrupted.task)).toMatchObject(expected)
      expect(entries(next)).toEqual(['checkBegun user 0', 'checkEnded user DONE 8'])
    }))
})
