import { message } from '../../contract/words/message.ts'
import { textOf } from '../../contract/words/render.ts'
import { describe, expect, test } from 'vitest'
import { openChecks } from '../testing/openChecks.ts'
import type { ReplicaPlace } from '../replica/replica.ts'
import {
  good,
  bad,
  name,
  never,
  two,
  three,
  withSums,
  open,
  checkChecksums,
  prepared,
  order,
  actionsOf,
  checksum,
} from './testing/repairFixture.ts'

test('findings of a repair plan are listed without a check', async () => {
  const { world, store, archive, repairs } = await prepared(three, {
    [`/one/${name}`]: bad,
    [`/three/${name}`]: null,
  })
  await world.run(repairs.plan({ name, replica: 'one' }, never))
  const { preservation } = await openChecks({ archive, store, world, onBug: (error) => expect(error).toBeUndefined() })
  expect(preservation.findings()).toEqual([
    { replica: 'one', name, finding: 'wrongChecksum', expected: checksum(good), found: checksum(bad), job: null },
    {
      replica: 'three',
      name,
      finding: 'missing',
      expected: message('copy.bytes', { count: good.length }),
      found: null,
      job: null,
    },
  ])
})

test('reasons are complete sentences, whatever the replica reports', async () => {
  const { world, repairs } = await prepared(two, {})
  await world.run(world.disk.remove(`/two/${name}`))
  await world.run(world.disk.makeFolder(`/two/${name}`))
  const { conditions } = await world.run(repairs.plan({ name, replica: 'one' }, never))
  const failures = conditions.filter(({ state }) => state === 'failed').map((condition) => textOf(condition.message))
  expect(failures).not.toEqual([])
  for (const failure of failures) expect(failure).toMatch(/^[A-Z/].*[.!?]$/)
})

test('a copy is found by its name among all others', async () => {
  const { world, store, repairs } = await prepared(two, {})
  store
    .statement<object>(
      `WITH RECURSIVE counted (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM counted WHERE number < 10500)
       INSERT INTO archive_file (name, bytes, sha256, kind, registered_ms)
       SELECT CASE number WHEN 10500 THEN 'the-last.warc' ELSE number || '.warc' END, 1, 'x', 'content', 1 FROM counted`,
    )
    .run({})
  expect(repairs.repairable({})).toHaveLength(10_000)
  expect(await world.run(repairs.repairableNamed({ files: '^the-last' }))).toEqual([
    { name: 'the-last.warc', replica: 'one', state: 'notStored' },
    { name: 'the-last.warc', replica: 'two', state: 'notStored' },
  ])
  // The state after a kill between registration and the first copy: no source, which is reported.
  const callsBefore = world.calls
  const [first, ...others] = await world.run(repairs.withSources(repairs.repairable({})))
  expect([first?.sources, first?.blocker && textOf(first.blocker)]).toEqual([
    [],
    'No other replica has a good copy of 1.warc. Replica two never had a copy.',
  ])
  expect(others).toHaveLength(9_999)
  // Others had a turn between every five hundred.
  expect(world.calls - callsBefore).toBeGreaterThanOrEqual(10_000 / 500 - 1)
})

describe('possible repairs', () => {
  const other = `${good.slice(0, 300)}!${good.slice(301)}`
  const away = { '/one/.loupe-replica': 'three\n' }
  const rows: {
    when: string
    places: ReplicaPlace[]
    harm: Record<string, string | null>
    then?: typeof away
    hope: string[]
  }[] = [
    { when: 'one of three is bad', places: three, harm: { [`/one/${name}`]: bad }, hope: ['one from two, three: yes'] },
    {
      when: 'both of two are bad',
      places: two,
      harm: { [`/one/${name}`]: bad, [`/two/${name}`]: other },
      hope: [
        `one from : No other replica has a good copy of ${name}. Replica two has a damaged copy.`,
        `two from : No other replica has a good copy of ${name}. Replica one has a damaged copy.`,
      ],
    },
    {
      when: 'one of three is bad, one is gone',
      places: three,
      harm: { [`/one/${name}`]: bad, [`/three/${name}`]: null },
      hope: ['one', 'three'].map((each) => `${each} from two: No checksum has a majority: 2 of the 3 votes needed.`),
    },
    {
      when: 'only checksums are good',
      places: withSums,
      harm: { [`/one/${name}`]: bad, [`/two/${name}`]: null },
      hope: [
        `one from : No other replica has a good copy of ${name}. Replica two has lost its copy. Replica sums stores only checksums.`,
        `two from : No other replica has a good copy of ${name}. Replica one has a damaged copy. Replica sums stores only checksums.`,
      ],
    },
    {
      when: 'the replica with the good copy is away',
      places: two,
      harm: { [`/two/${name}`]: null },
      then: away,
      hope: [`two from : No other replica has a good copy of ${name}. Replica one cannot be used now.`],
    },
    {
      when: 'the replica to repair is unreachable',
      places: two,
      harm: { [`/one/${name}`]: bad },
      then: away,
      hope: ['one from two: /one is marked as replica three, not one: check the settings.'],
    },
  ]
  test.each(rows)('$when', async ({ places, harm, then, hope }) => {
    const { world, store, archive } = await prepared(places, harm)
    await checkChecksums(world, store, archive)
    for (const [path, text] of Object.entries(then ?? {})) await world.run(world.disk.write(path, Buffer.from(text)))
    const { repairs } = await world.run(open(world, store, places))
    const known = await world.run(repairs.withSources(repairs.repairable({})))
    expect(
      known.map(
        ({ replica, sources, blocker }) =>
          `${replica} from ${sources.join(', ')}: ${blocker ? textOf(blocker) : 'yes'}`,
      ),
    ).toEqual(hope)
  })
})

describe('listeners that subscribe later', () => {
  test('get the repairs in progress, their outcomes, and their entries in the audit log', async () => {
    const { world, repairs, auditLog } = await prepared(two, { [`/one/${name}`]: bad })
    expect(repairs.known()).toEqual([])
    const running = repairs.repair(order, never)
    await world.run(Promise.resolve())
    expect(repairs.known()).toMatchObject([{ name, replica: 'one', kind: 'replace', state: 'RUNNING', ended: null }])
    const outcome = await world.run(running)
    expect(repairs.known()).toEqual([outcome])
    expect(outcome).toMatchObject({ state: 'REPAIRED', by: 'user', audit: auditLog.head()?.number })
    expect(actionsOf({ auditLog }).at(-1)).toMatchObject({ number: outcome.audit, what: 'repair' })
  })

  test('a repair that was stopped does not stay in progress', async () => {
    const { world, repairs } = await prepared(two, { [`/one/${name}`]: bad })
    const stop = new AbortController()
    const running = repairs.repair(order, stop.signal)
    stop.abort(new Error('the engine ends'))
    await expect(world.run(running)).rejects.toThrow('the engine ends')
    expect(repairs.known()).toMatchObject([
      { state: 'FAILED', message: { code: 'repair.interrupted', values: { problem: 'the engine ends' } } },
    ])
  })
})
