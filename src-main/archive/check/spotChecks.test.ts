import { createHmac } from 'node:crypto'
import { message } from '../../contract/words/message.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openStore } from '../../storage/storage.ts'
import { openTasks } from '../../tasks/tasks.ts'
import { seededWorld, type SeededWorld } from '../../world/testing/seeded.ts'
import { DiskFault } from '../../world/world.ts'
import { openArchive } from '../store/archive.ts'
import { openAuditLog } from '../audit/audit.ts'
import { replicaEvents } from '../copies/replicaEvents.ts'
import { defaultArchiveLimits } from '../files/limits.ts'
import { openChecks } from '../testing/openChecks.ts'
import { openSpotChecks } from './spotChecks.ts'
import type { SpotReplica } from './spotAnswers.ts'
import { spotVerdict, type Answer, type SpotVerdict } from './spotVerdict.ts'

const unavailable = message('text', { text: 'connect its drive' })
const names = ['a.warc', 'b.warc', 'c.warc', 'd.warc']

function raise(error: unknown): never {
  throw error
}

/** A replica that is read through its folder, as the archive does. */
function folderOf(world: SeededWorld, name: string, changes: Partial<SpotReplica> = {}): SpotReplica {
  return {
    name,
    kind: 'files',
    problem: () => Promise.resolve(undefined),
    async checksum(file, { salt }) {
      try {
        const bytes = await world.disk.read(`/${name}/${file}`, 1000)
        return { sha256: createHmac('sha256', salt).update(bytes).digest('hex') }
      } catch (error) {
        if (error instanceof DiskFault && error.code === 'absent') return undefined
        throw error
      }
    },
    ...changes,
  }
}

async function filled(world: SeededWorld, changes: Record<string, Partial<SpotReplica>> = {}) {
  const store = openStore(':memory:')
  const replicas = ['ONE', 'TWO', 'THREE']
  const archive = await openArchive({
    store,
    world,
    replicas: replicas.map((name) => ({ name, folder: `/${name}` })),
    limits: { freeBytesMin: 0, freeBytesToAcceptMin: 0 },
  })
  for (const name of names) {
    await world.disk.write(`/local-${name}`, Buffer.from(`content of ${name}`))
    await archive.store({ path: `/local-${name}`, name, kind: 'content', jobId: 1 })
  }
  const { tasks, preservation } = await openChecks({ archive, store, world, onBug: raise })
  const spots = await openSpotChecks({
    replicas: replicas.map((name) => folderOf(world, name, changes[name])),
    limits: defaultArchiveLimits,
    ...{ store, tasks, world },
  })
  const run = (files: number) => spots.run({ files, by: 'user' })
  return { store, archive, tasks, preservation, spots, run, world }
}

function inWorld(
  act: (setting: Awaited<ReturnType<typeof filled>>) => Promise<void>,
  changes?: Record<string, Partial<SpotReplica>>,
) {
  // prettier-ignore
  const world = seededWorld({ seed: 5 })
  return world.run(filled(world, changes).then(act))
}

describe('a spot check', () => {
  test('every file has its own salt, and answers that can be computed again', () =>
    inWorld(async ({ run, spots, store }) => {
      const made = await run(3)
      expect(made.files).toHaveLength(3)
      expect(new Set(made.files.map(({ salt }) => salt)).size).toBe(3)
      for (const { name, salt, verdict, answers } of made.files) {
        expect(verdict).toBe('agree')
        const expected = createHmac('sha256', salt).update(`content of ${name}`).digest('hex')
        expect(answers.map(({ replica, hmac }) => [replica, hmac])).toEqual([
          ['ONE', expected],
          ['TWO', expected],
          ['THREE', expected],
        ])
      }
      expect(spots.last()).toEqual(made)
      expect(spots.alarming()).toEqual([])
      const [ended, begun] = openAuditLog(store).page({ offset: 0, limit: 2 }).rows
      expect(begun).toMatchObject({ who: 'user', what: 'spotCheckBegun', subject: 'spot check 1' })
      // Agreeing files are recorded too, so that a later edit is detected.
      const verdicts = made.files.map(({ name }) => ({ name, verdict: 'agree' }))
      expect(ended).toMatchObject({ who: 'user', what: 'spotCheckEnded', subject: 'spot check 1' })
      expect(ended?.became).toEqual({ files: verdicts })
    }))

  test('runs as a task whose end is announced after the audit log entry', () =>
    inWorld(async ({ run, store, tasks, world }) => {
      const auditLog = openAuditLog(store)
      const received: [state: string, last: string | undefined][] = []
      tasks.onChange(({ state }) => received.push([state, auditLog.page({ offset: 0, limit: 1 }).rows[0]?.what]))
      await run(2)
      expect([received[0]?.[0], received.at(-1)]).toEqual(['RUNNING', ['DONE', 'spotCheckEnded']])
      world.disk.corrupt('/TWO/a.warc', 0)
      expect(await run(4)).toMatchObject({ state: 'DONE_WITH_FINDINGS', filesDone: 4, filesTotal: 4, findings: 1 })
      expect(received.at(-1)?.[0]).toBe('DONE_WITH_FINDINGS')
    }))

  test('a run checks each file at most once, and different runs choose different files', () =>
    inWorld(async ({ run }) => {
      expect((await run(99)).files.map(({ name }) => name)).toEqual(names)
      const chosen = new Set<string>()
      for (let turn = 0; turn < 20; turn++) for (const { name } of (await run(1)).files) chosen.add(name)
      expect(chosen.size).toBeGreaterThan(2)
    }))

  const rows: [what: string, spoil: (world: SeededWorld) => unknown, verdict: SpotVerdict][] = [
    ['a flipped byte', (world) => world.disk.corrupt('/TWO/a.warc', 0), 'differ'],
    ['a file that is gone', (world) => world.disk.remove('/TWO/a.warc'), 'failed'],
  ]
  test.each(rows)('%s is found, recorded, and reported until the copies are read', (_, spoil, verdict) =>
    inWorld(async ({ run, spots, store, preservation, world }) => {
      await spoil(world)
      const { files } = await run(4)
      expect(files.map((file) => file.verdict)).toEqual([verdict, 'agree', 'agree', 'agree'])
      expect(spots.alarming().map(({ name }) => name)).toEqual(['a.warc'])
      expect(openAuditLog(store).page({ what: 'finding', offset: 0, limit: 1 }).rows[0]).toMatchObject({ subject: 'a.warc' }) // prettier-ignore
      const { task: check } = await preservation.check({ kind: 'checksums' })
      await preservation.ended(check)
      expect(spots.alarming()).toEqual([])
      expect(preservation.findings()).toHaveLength(1)
    }),
  )

  test('a later spot, which not all could answer, does not end it; nor does a replica that left the settings keep it', () => {
    let isAway = false
    const changes = { TWO: { problem: () => Promise.resolve(isAway ? unavailable : undefined) } }
    return inWorld(async ({ run, spots, store, preservation, world, archive }) => {
      world.disk.corrupt('/TWO/a.warc', 0)
      await run(4)
      isAway = true
      expect((await run(4)).files[0]?.verdict).toBe('agree')
      expect(spots.alarming().map(({ name }) => name)).toEqual(['a.warc'])
      const next = await openChecks({ archive, store, world, onBug: raise })
      const left = await openSpotChecks({
        ...{ replicas: [folderOf(world, 'THREE')], limits: archive.limits, store, tasks: next.tasks, world },
      })
      for (const replica of ['ONE', 'THREE'])
        await preservation.ended((await preservation.check({ kind: 'checksums', replica })).task)
      expect(left.alarming()).toEqual([])
      expect(spots.alarming()).toHaveLength(1)
    }, changes)
  })

  test('a replica of checksums cannot answer, which is reported', () =>
    inWorld(
      async ({ run }) => {
        const [file] = (await run(1)).files
        expect(file?.verdict).toBe('agree')
        expect(file?.answers[2]).toEqual({ replica: 'THREE', kind: 'notAsked', hmac: null, why: message('spot.onlyChecksums') }) // prettier-ignore
      },
      { THREE: { kind: 'checksums', checksum: () => Promise.reject(new Error('asked all the same')) } },
    ))

  test('a drive that is away proves nothing about its files', () =>
    inWorld(
      async ({ run, spots }) => {
        const [file] = (await run(1)).files
        expect([file?.verdict, file?.answers[0]]).toEqual(['agree', { replica: 'ONE', kind: 'away', hmac: null, why: unavailable }]) // prettier-ignore
        expect(spots.alarming()).toEqual([])
      },
      { ONE: { problem: () => Promise.resolve(unavailable) } },
    ))

  test('in the history of a drive that was away, the spot check is unfinished', () =>
    inWorld(
      async ({ run, store }) => {
        await run(2)
        const last = (replica: string) => replicaEvents(store).last(replica)
        expect(last('ONE')).toMatchObject([{ kind: 'spot', files: 0, filesTotal: 2, state: 'unfinished' }])
        expect(last('TWO')).toMatchObject([{ kind: 'spot', files: 2, filesTotal: 2, state: 'done' }])
      },
      { ONE: { problem: () => Promise.resolve(unavailable) } },
    ))

  test('a drive that goes away in the middle is away, one that refuses a file has failed', () => {
    let isAway = false
    const leaving: Partial<SpotReplica> = {
      problem: () => Promise.resolve(isAway ? unavailable : undefined),
      checksum: (file) => {
        isAway = true
        return Promise.reject(new DiskFault('failed', file))
      },
    }
    const refusing: Partial<SpotReplica> = { checksum: (file) => Promise.reject(new DiskFault('denied', file)) }
    return inWorld(
      async ({ run }) => {
        const [file] = (await run(1)).files
        expect(file?.verdict).toBe('failed')
        expect(file?.answers.map(({ kind }) => kind)).toEqual(['away', 'failed', 'answered'])
      },
      { ONE: leaving, TWO: refusing },
    )
  })

  test.each(['stopped by the user', 'interrupted by the end of Loupe'])(
    '%s, it keeps the answers so far, has no end in the audit log, and does not continue',
    (how) => {
      const asked = Promise.withResolvers<void>()
      const answering: Partial<SpotReplica> = {
        async checksum() {
          asked.resolve()
          return { sha256: 'x' }
        },
      }
      return inWorld(
        async ({ run, spots, store, tasks }) => {
          const end = expect(run(3)).rejects.toMatchObject({
            code: 'stopped',
            message: 'Spot check 1 was stopped before it was complete. The answers so far are kept.',
          })
          await asked.promise
          await (how.startsWith('stopped') ? tasks.stop(1) : tasks.close())
          await end
          const state = how.startsWith('stopped') ? 'STOPPED' : 'INTERRUPTED'
          expect(spots.last()).toMatchObject({ state, canResume: false, files: [{ verdict: 'agree' }] })
          expect(openAuditLog(store).page({ offset: 0, limit: 1 }).rows[0]?.what).toBe('spotCheckBegun')
        },
        { ONE: answering, TWO: answering, THREE: answering },
      )
    },
  )

  test('a kill leaves it interrupted at the next start', () =>
    inWorld(
      async ({ run, spots, store, archive, world }) => {
        void run(2)
        await world.clock.sleep(1_000)
        expect(spots.last()?.state).toBe('RUNNING')
        const { tasks } = await openChecks({ archive, store, world, onBug: raise })
        const next = await openSpotChecks({ replicas: [], limits: archive.limits, store, tasks, world })
        expect(next.last()).toMatchObject({ state: 'INTERRUPTED', filesDone: 0, files: [] })
      },
      { ONE: { checksum: () => new Promise(() => {}) } },
    ))

  test('an empty archive has no files to check', () => {
    const world = seededWorld({ seed: 1 })
    return world.run(
      (async () => {
        const store = openStore(':memory:')
        const tasks = openTasks({ store, world, onBug: raise })
        const spots = await openSpotChecks({ replicas: [], limits: defaultArchiveLimits, store, tasks, world })
        expect(spots.last()).toBeUndefined()
        expect((await spots.run({ files: 3, by: 'user' })).files).toEqual([])
      })(),
    )
  })
})

test('what answers mean together does not depend on their order, and one odd one out is never agreement', () => {
  const answer = fc.oneof(
    fc.constantFrom('a', 'b').map((hmac): Answer => ({ replica: 'R', kind: 'answered', hmac })),
    fc.constantFrom('notAsked', 'failed', 'away').map((kind): Answer => ({ replica: 'R', kind, why: unavailable })),
  )
  fc.assert(
    fc.property(fc.array(answer, { maxLength: 6 }), (answers) => {
      const verdict = spotVerdict(answers)
      expect(spotVerdict(answers.toReversed())).toBe(verdict)
      const hmacs = answers.flatMap((one) => (one.kind === 'answered' ? [one.hmac] : []))
      const isSame = new Set(hmacs).size === 1
      const hasFailed = answers.some(({ kind }) => kind === 'failed')
      expect(verdict === 'agree').toBe(isSame && hmacs.length > 1 && !hasFailed)
      expect(verdict === 'differ').toBe(new Set(hmacs).size > 1)
    }),
  )
})
