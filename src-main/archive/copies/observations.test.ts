import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CopyObservation } from '../../contract/services/archivedFiles.ts'
import { isWholeTask } from '../../contract/states/taskStates.ts'
import { openStore, type Store } from '../../storage/storage.ts'
import { seededWorld, type SeededWorld } from '../../world/testing/seeded.ts'
import type { World } from '../../world/world.ts'
import { openArchive, type Archive } from '../store/archive.ts'
import { openAuditLog } from '../audit/audit.ts'
import type { Preservation } from '../check/preservation.ts'
import type { Tasks } from '../../tasks/tasks.ts'
import { openChecks } from '../testing/openChecks.ts'
import { openRepairs, type Repairs } from '../repair/repair.ts'
import { replicaEvents } from './replicaEvents.ts'
import { openObservations, type Observed } from './observations.ts'
import { openSpotChecks } from '../check/spotChecks.ts'
import { isWhole } from './wholeCheck.sql.ts'

/** Observations of one copy, oldest first. */
function intervals(store: Store, name: string, replica: string): CopyObservation[] {
  return openObservations(store)
    .ofFile(name)
    .filter((observation) => observation.replica === replica)
    .toReversed()
}

function expectInOrder(observations: readonly CopyObservation[]): void {
  observations.forEach((observation, index) => {
    const before = observations[index - 1]
    expect(observation.first <= observation.last).toBe(true)
    if (!before) return
    expect(before.last <= observation.first).toBe(true)
    expect([before.seen, before.sha256, before.bytes]).not.toEqual([
      observation.seen,
      observation.sha256,
      observation.bytes,
    ])
  })
}

describe('the observations of one copy', () => {
  function oneCopy(): Store {
    const store = openStore(':memory:')
    store
      .statement(
        `INSERT INTO archive_file (id, name, bytes, sha256, kind, registered_ms) VALUES (1, 'a', 3, 'good', 'content', 0)`,
      )
      .run({})
    store
      .statement(`INSERT INTO replica_file (id, file_id, replica, upload_state) VALUES (1, 1, 'one', 'UPLOAD_STARTED')`)
      .run({})
    return store
  }
  const looks: Record<string, Observed> = {
    right: { seen: 'right', sha256: 'good', bytes: 3 },
    present: { seen: 'present', sha256: null, bytes: 3 },
    missing: { seen: 'missing', sha256: null, bytes: null },
    short: { seen: 'wrongLength', sha256: null, bytes: 2 },
    shortRead: { seen: 'wrongLength', sha256: 'cut', bytes: 2 },
    bad: { seen: 'wrongChecksum', sha256: 'bad', bytes: 3 },
    worse: { seen: 'wrongChecksum', sha256: 'worse', bytes: 3 },
    unreadable: { seen: 'unreadable', sha256: null, bytes: null },
  }
  const rows: [looks: string, intervals: string][] = [
    ['right right right', 'right*3'],
    ['right missing right', 'right missing right'],
    ['present present right present right present right', 'present*2 right*3'],
    ['right present', 'right present'],
    ['right present missing', 'right present missing'],
    ['bad present bad present', 'bad*2 present'],
    ['bad present worse', 'bad present worse'],
    ['shortRead short shortRead', 'shortRead*2'],
    ['right short right', 'right short right'],
    ['unreadable unreadable right', 'unreadable*2 right'],
  ]
  test.each(rows)('%s: %s', (seen, expected) => {
    const store = oneCopy()
    const { note } = openObservations(store)
    seen.split(' ').forEach((look, index) => note(1, looks[look] ?? missingLook(look), index))
    const rows = intervals(store, 'a', 'one').map(({ seen: as, sha256, bytes, times }) => {
      const look = Object.entries(looks).find(
        ([, row]) => row.seen === as && row.sha256 === sha256 && row.bytes === bytes,
      )
      return `${look?.[0] ?? ''}${times > 1 ? `*${times}` : ''}`
    })
    expect(rows.join(' ')).toBe(expected)
    store.close()
  })
  function missingLook(name: string): never {
    throw new Error(`no look ${name}`)
  }

  test('whatever is seen when, also by a clock that is set back: in order, apart, and the newest is the last look', () => {
    const look = fc.record({ name: fc.constantFrom(...Object.keys(looks)), atMs: fc.nat({ max: 50 }) })
    const property = fc.property(fc.array(look, { minLength: 1, maxLength: 40 }), (seen) => {
      const store = oneCopy()
      const observations = openObservations(store)
      for (const { name, atMs } of seen) observations.note(1, looks[name] ?? missingLook(name), atMs)
      const rows = intervals(store, 'a', 'one')
      expectInOrder(rows)
      expect(rows.at(-1)).toMatchObject(looks[seen.at(-1)?.name ?? ''] ?? {})
      // Nothing that was read is forgotten.
      const read = seen.filter(({ name }) => (looks[name]?.sha256 ?? null) !== null)
      const times = rows.filter(({ sha256 }) => sha256 !== null).reduce((sum, row) => sum + row.times, 0)
      expect(times).toBe(read.length)
      store.close()
    })
    fc.assert(property, { numRuns: 300 })
  })
})

describe('in an archive', () => {
  interface Setting {
    store: Store
    archive: Archive
    preservation: Preservation
    repairs: Repairs
    tasks: Tasks
    close: () => Promise<void>
  }
  const names = ['a.warc', 'b.warc', 'c.warc']
  const replicas = ['one', 'two', 'three']
  const textOf = (name: string) => `the content of ${name} `.repeat(9)

  async function opened(world: World, store: Store): Promise<Setting> {
    const archive = await openArchive({
      store,
      world,
      replicas: replicas.map((name) => ({ name, folder: `/${name}` })),
      limits: { freeBytesMin: 0, freeBytesToAcceptMin: 0 },
    })
    const checks = await openChecks({
      archive,
      store,
      world,
      onBug(error) {
        throw error
      },
    })
    return { store, archive, ...checks, repairs: openRepairs({ archive, store, world, auditLog: openAuditLog(store) }) }
  }

  async function filled(world: World): Promise<Setting> {
    const setting = await opened(world, openStore(':memory:'))
    for (const name of names) {
      await world.disk.write('/local', Buffer.from(textOf(name)))
      await setting.archive.store({ path: '/local', name, kind: 'content', jobId: 1 })
    }
    return setting
  }

  type Act = { act: 'check'; kind: 'missing' | 'checksums' } | { act: 'damage' | 'repair'; copy: number; how: number }

  async function done(world: SeededWorld, setting: Setting, order: Act): Promise<void> {
    if (order.act === 'check') {
      const { task: check } = await setting.preservation.check({ kind: order.kind })
      await setting.preservation.ended(check)
      return
    }
    const name = names[order.copy % names.length] ?? ''
    const replica = replicas[order.how % replicas.length] ?? ''
    if (order.act === 'damage') return damage(world, `/${replica}/${name}`, order.how)
    const { signal } = new AbortController()
    const plan = await setting.repairs.plan({ name, replica }, signal)
    await setting.repairs.repair({ name, replica, expected: plan.registered, found: plan.found }, signal)
  }

  async function damage(world: SeededWorld, path: string, how: number): Promise<void> {
    if ((await world.disk.stat(path)) === undefined) return
    if (how % 4 === 0) return world.disk.remove(path)
    await world.disk.write(path, Buffer.from(how % 4 === 1 ? 'cut' : `${how}`.padEnd(textOf('a.warc').length, '.')))
  }

  /** Expects the newest observation of every completed copy to agree with its state. */
  function expectAgreement({ store, archive }: Setting): void {
    for (const name of names) {
      for (const { replica, upload, preservation } of archive.file(name)?.replicas ?? []) {
        const rows = intervals(store, name, replica)
        expectInOrder(rows)
        if (upload !== 'UPLOAD_COMPLETED') {
          expect(rows).toEqual([])
          continue
        }
        const seen = rows.map((observation) => observation.seen)
        // A check for missing files does not undo what a reading has found.
        const lastSaid = seen.findLast((each) => each !== 'present') ?? 'stored'
        const allowed: Record<string, string[]> = {
          UNCHECKED: ['stored'],
          PRESENT: ['stored', 'missing'],
          OK: ['right', 'stored'],
          MISSING: ['missing'],
          CORRUPT: ['wrongLength', 'wrongChecksum', 'unreadable'],
        }
        expect(allowed[preservation]).toContain(lastSaid)
        expect(seen.at(-1) === 'missing').toBe(preservation === 'MISSING')
        expect(seen[0]).toBe('stored')
      }
    }
  }

  /** Expects the counts per replica to add up to the totals of the checks. */
  function expectCounts({ store, preservation }: Setting): void {
    const events = replicaEvents(store)
    const all = replicas.flatMap((replica) => events.last(replica))
    for (const { task, kind, filesTotal, filesDone, findings, state } of preservation.checks()) {
      const its = all.filter((event) => event.kind === kind && event.number === task)
      const sum = (of: (event: (typeof its)[number]) => number) => its.reduce((total, event) => total + of(event), 0)
      expect([sum((row) => row.filesTotal), sum((row) => row.files), sum((row) => row.findings)]).toEqual([
        filesTotal,
        filesDone,
        findings,
      ])
      expect(state === 'DONE' && findings > 0).toBe(false)
      for (const event of its)
        expect(event.state).toBe(
          isWholeTask({ state }) ? (event.findings === 0 ? 'done' : 'doneWithFindings') : 'unfinished',
        )
    }
    const left = store.statement<object, { left: number }>(
      `SELECT COUNT(*) AS left FROM preservation_item JOIN task ON task.id = check_id
       WHERE ${isWhole} AND finding IS NULL`,
    )
    expect(left.get({})?.left).toBe(0)
  }

  const act = fc.oneof(
    fc.record({ act: fc.constant('check' as const), kind: fc.constantFrom('missing' as const, 'checksums' as const) }),
    fc.record({ act: fc.constantFrom('damage' as const, 'repair' as const), copy: fc.nat(8), how: fc.nat(40) }),
  )

  test('after a power cut at any call of any work, observations and states agree, and go on to agree', async () => {
    const acts = fc.array(act, { minLength: 2, maxLength: 6 })
    const property = fc.asyncProperty(acts, fc.nat({ max: 250 }), fc.nat(), async (orders, calls, seed) => {
      const world = seededWorld({ seed })
      const setting = await world.run(filled(world))
      const all = async () => {
        for (const order of orders) await done(world, setting, order)
      }
      const isWhole = await world.runUntilCut(all(), calls)
      const next = isWhole ? world : world.crash()
      expectAgreement(setting)
      const later = isWhole ? setting : await next.run(opened(next, setting.store))
      const { signal } = new AbortController()
      if (!isWhole) await next.run(later.repairs.resume(signal))
      expectAgreement(later)
      await next.run(done(next, later, { act: 'check', kind: 'checksums' }))
      await next.run(later.close())
      expectAgreement(later)
      expectCounts(later)
      setting.store.close()
    })
    await fc.assert(property, { numRuns: 80 })
  })

  test('a repaired copy: its damage, its removal, and the verification of the good copy', async () => {
    const world = seededWorld({ seed: 1 })
    const setting = await world.run(filled(world))
    const { store } = setting
    await world.run(damage(world, '/two/a.warc', 2))
    await world.run(done(world, setting, { act: 'check', kind: 'checksums' }))
    await world.run(done(world, setting, { act: 'repair', copy: 0, how: 1 }))
    await world.run(done(world, setting, { act: 'repair', copy: 0, how: 0 }))
    expect(intervals(store, 'a.warc', 'two').map(({ seen }) => seen)).toEqual(['stored', 'wrongChecksum', 'missing', 'stored', 'right']) // prettier-ignore
    const events = replicaEvents(store)
    expect(events.last('two')).toMatchObject([
      {
        kind: 'checksums',
        number: 1,
        files: 3,
        filesTotal: 3,
        findings: 1,
        state: 'doneWithFindings',
        begunBy: 'user',
      },
      { kind: 'repair', files: 1, filesTotal: 1, findings: 0, state: 'done', begunBy: 'user' },
    ])
    expect(events.last('one')).toMatchObject([{ kind: 'checksums', findings: 0 }])
    const repaired = openAuditLog(store)
      .ofFile('a.warc')
      .find(({ what }) => what === 'repair')
    expect(events.last('two')[1]?.number).toBe(repaired?.number)
    expect(setting.repairs.attic.entriesOf('a.warc')).toMatchObject([{ name: 'a.warc', replica: 'two', state: 'kept' }])
    expect(setting.repairs.attic.entriesOf('b.warc')).toEqual([])
  })

  test('a spot check is an event of those that could answer, with the findings of each', async () => {
    const world = seededWorld({ seed: 1 })
    const setting = await world.run(filled(world))
    await world.run(damage(world, '/two/a.warc', 2))
    await world.run(world.disk.remove('/three/b.warc'))
    const { places, limits } = setting.archive
    const { store, tasks } = setting
    const spots = await openSpotChecks({ replicas: places, limits, store, tasks, world })
    await world.run(spots.run({ files: 3, by: 'schedule' }))
    const events = replicaEvents(setting.store)
    const rows = replicas.map((replica) => events.last(replica)[0])
    expect(rows.map((event) => event?.findings)).toEqual([0, 1, 1])
    expect(rows[0]).toMatchObject({ kind: 'spot', files: 3, filesTotal: 3, state: 'done', begunBy: 'schedule' })
  })
})
