import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Fault } from '../../contract/calls/faults.ts'
import { harvestInput, type HarvestInput } from '../../contract/services/harvestDefinitions.ts'
import { message } from '../../contract/words/message.ts'
import { textOf } from '../../contract/words/render.ts'
import { openStore } from '../../storage/storage.ts'
import { seededWorld } from '../../world/testing/seeded.ts'
import { openHarvestSchedules } from '../calendar/harvestSchedules.ts'
import { openHarvestDefinitions } from './harvestDefinitions.ts'

const startMs = Date.UTC(2026, 10, 26, 12)
const store = openStore(':memory:')
const { clock } = seededWorld({ seed: 1, startMs })
const harvests = openHarvestDefinitions(store, clock)
const schedules = openHarvestSchedules(store, clock)
afterAll(() => store.close())

function addDomain(domain: string): void {
  const run = (sql: string) => store.statement<{ domain: string }>(sql).run({ domain })
  run(`INSERT INTO domain (name, created_ms) VALUES (@domain, 0)`)
  run(
    `INSERT INTO configuration (domain_id, name, template_id)
     SELECT domain.id, 'default', template.id FROM domain, template WHERE domain.name = @domain LIMIT 1`,
  )
}
beforeAll(() => {
  store.statement<object>(`INSERT INTO template (name) VALUES ('default') ON CONFLICT DO NOTHING`).run({})
  for (const domain of ['a.test', 'b.test']) addDomain(domain)
})

let count = 0
const input = (given: object): HarvestInput =>
  harvestInput.parse({ name: `Harvest ${(count += 1)}`, kind: 'selective', schedule: 'Daily', ...given })
const both = [{ domain: 'a.test' }, { domain: 'b.test' }]

function refusal(act: () => unknown): { text: string; fields: readonly unknown[] } {
  try {
    act()
  } catch (error) {
    if (error instanceof Fault) return { text: error.message, fields: error.fields }
    throw error
  }
  throw new Error('it was not refused')
}

describe('adding', () => {
  test('gives a harvest a number that no job and no harvest has, and the channel of its kind', () => {
    store
      .statement<object>(
        `INSERT INTO harvest (id, name, kind, definition, created_ms) VALUES (70, 'By hand', 'event', '{}', 0)`,
      )
      .run({})
    const added = harvests.add(input({ configurations: both }))
    expect(added).toMatchObject({
      harvest: 71,
      channel: 'ANY_HIGHPRIORITY',
      configurations: 2,
      isActive: false,
      runs: 0,
    })
    expect(harvests.add(input({ kind: 'snapshot', schedule: null }))).toMatchObject({
      ...{ harvest: 72, channel: 'ANY_LOWPRIORITY', configurations: 2 },
    })
    expect(harvests.configurations({ harvest: 71, offset: 1, limit: 5 })).toEqual({
      ...{ rows: [{ domain: 'b.test', configuration: 'default' }], total: 2 },
    })
  })

  test.each<[given: object, field: unknown[], text: RegExp]>([
    [{ name: 'HARVEST 1' }, ['name'], /already a harvest named HARVEST 1/],
    [{ schedule: null }, ['schedule'], /needs a schedule/],
    [{ schedule: 'Yearly' }, ['schedule'], /no schedule named Yearly. Known: Hourly, Daily/],
    [{ kind: 'event' }, ['schedule'], /Only a selective harvest has a schedule/],
    [{ previous: 'Harvest 1' }, ['previous'], /Only a snapshot harvest can continue/],
    [{ kind: 'snapshot', schedule: null, previous: 'Harvest 1' }, ['previous'], /no snapshot harvest named Harvest 1/],
    [
      { kind: 'snapshot', schedule: null, configurations: both },
      ['configurations'],
      /default configuration of every domain/,
    ],
    [
      { configurations: [...both, { domain: 'c.test' }] },
      ['configurations', 2],
      /Domain c.test has no configuration named default/,
    ],
  ])('refuses %j', (given, field, text) => {
    const before = harvests.list().length
    const refused = refusal(() => harvests.add(input(given)))
    expect(refused.fields).toEqual([field])
    expect(refused.text).toMatch(text)
    expect(harvests.list()).toHaveLength(before)
  })

  test('a snapshot cannot continue itself through others', () => {
    const first = harvests.add(input({ kind: 'snapshot', schedule: null }))
    const second = harvests.add(input({ kind: 'snapshot', schedule: null, previous: first.name }))
    const circle = input({ kind: 'snapshot', schedule: null, name: first.name, previous: second.name })
    expect(refusal(() => harvests.edit(first.harvest, circle)).fields).toEqual([['previous']])
    expect(refusal(() => harvests.remove(first.harvest)).text).toContain(`harvest ${second.name} continues it`)
  })
})

describe('planning', () => {
  const nextRun = (harvest: number) => harvests.show(harvest).nextRun
  test('an activated harvest runs by its schedule; a deactivated one does not, and says why', () => {
    const { harvest } = harvests.add(input({ configurations: both }))
    expect(harvests.activate(harvest)).toMatchObject({ isActive: true, nextRun: '2026-11-26T12:00:00.000Z' })
    harvests.deactivate(harvest, message('harvest.absent', { harvest: 3 }))
    const { problem, ...row } = harvests.show(harvest)
    expect(row).toMatchObject({ isActive: false, nextRun: null })
    expect(problem && textOf(problem)).toBe('There is no harvest 3.')
    expect(harvests.activate(harvest).problem).toBeNull()
  })

  test('another schedule plans an active harvest again, another name does not', () => {
    schedules.add({
      name: 'Late',
      comments: '',
      timing: { ...schedules.show('Daily').timing, at: { hour: 23, minute: 0 } },
    })
    const given = input({ configurations: both })
    const { harvest } = harvests.add(given)
    harvests.edit(harvest, { ...given, schedule: 'Late' })
    expect(nextRun(harvest)).toBeNull()
    harvests.activate(harvest)
    expect(nextRun(harvest)).toBe('2026-11-26T23:00:00.000Z')
    harvests.edit(harvest, { ...given, name: 'Renamed', schedule: 'Late' })
    expect(nextRun(harvest)).toBe('2026-11-26T23:00:00.000Z')
    harvests.edit(harvest, { ...given, schedule: 'Daily' })
    expect(nextRun(harvest)).toBe('2026-11-26T12:00:00.000Z')
  })

  test('refuses to activate what has nothing to do', () => {
    const over = { ...schedules.show('Daily').timing, end: '2026-11-01T00:00:00Z' }
    schedules.add({ name: 'Over', comments: '', timing: over })
    const empty = harvests.add(input({}))
    expect(refusal(() => harvests.activate(empty.harvest)).text).toContain('has no configurations')
    const late = harvests.add(input({ schedule: 'Over', configurations: both }))
    expect(refusal(() => harvests.activate(late.harvest)).text).toContain('The schedule Over is over')
  })
})

test('the kind of a harvest stays, and an unknown harvest is named', () => {
  const given = input({ configurations: both })
  const { harvest } = harvests.add(given)
  const changed = { ...given, kind: 'event' as const, schedule: null }
  expect(refusal(() => harvests.edit(harvest, changed)).fields).toEqual([['kind']])
  harvests.remove(harvest)
  for (const act of ['show', 'remove', 'activate', 'deactivate'] as const)
    expect(refusal(() => harvests[act](harvest)).text).toBe(`There is no harvest ${harvest}.`)
})

test('the list is filtered by kind, activity and name', () => {
  const { harvest } = harvests.add(input({ name: 'Wanted', configurations: both }))
  harvests.activate(harvest)
  const names = (filter: Parameters<typeof harvests.list>[0]) => harvests.list(filter).map(({ name }) => name)
  expect(names({ text: 'want' })).toEqual(['Wanted'])
  expect(names({ kind: 'snapshot', active: true })).toEqual([])
  expect(names({ kind: 'selective', active: true })).toContain('Wanted')
})
