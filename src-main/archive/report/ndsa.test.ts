import { textOf } from '../../contract/words/render.ts'
import { describe, expect, test } from 'vitest'
import { conditions, declarable, levelsOf, type Area, type Facts } from './ndsa.ts'

const at = (place: string | undefined, index: number) => ({ replica: `R${index}`, place })
const inPlaces = (...places: (string | undefined)[]) => ({ complete: places.map(at), replicas: places.map(at) })

/** An archive that meets every condition that Loupe can check. */
const good: Facts = {
  ...inPlaces('Aarhus', 'Copenhagen', 'Odense'),
  files: 10,
  overdue: 0,
  bad: 0,
  isScheduled: true,
  isAuditLogWhole: true,
  hasChecks: true,
  isCheckedSinceTrouble: true,
  jobsWithoutMetadata: 0,
  filesWithoutJob: 0,
  hasMetadata: true,
  isBackedUpApart: true,
}

const stateOf = (facts: Facts, id: string, declared: string[] = []) =>
  levelsOf(facts, declared)
    .flatMap((area) => area.conditions)
    .find((condition) => condition.id === id)?.state
const levelOf = (facts: Facts, area: Area, declared: readonly string[]) =>
  levelsOf(facts, declared).find((judged) => judged.area === area)

describe('each condition that Loupe can verify', () => {
  const always = ['givenIntegrityVerified', 'integrityGenerated', 'movesVerified', 'auditOnDemand', 'inventory']
  /** Changes that make each condition fail. */
  const rows: [id: string, fails: string, changes: Partial<Facts>][] = [
    ['twoCopies', 'two replicas in one place', inPlaces('Aarhus', ' aarhus')],
    ['twoCopies', 'no locations are known', inPlaces(undefined, undefined)],
    ['twoCopies', 'only one is complete', { complete: [at('Aarhus', 0)] }],
    ['twoCopies', 'an empty archive', { files: 0 }],
    ['threeCopies', 'an empty archive', { files: 0 }],
    ['threePlaces', 'an empty archive', { files: 0 }],
    ['mediaDocumented', 'one has no location', { replicas: [at('Aarhus', 0), at(undefined, 1)] }],
    ['threeCopies', 'two', inPlaces('Aarhus', 'Odense')],
    ['threeCopies', 'three in one place', inPlaces('Aarhus', 'Aarhus', 'Aarhus')],
    ['threePlaces', 'three in two places', inPlaces('Aarhus', 'Aarhus', 'Odense')],
    ['fixedIntervals', 'no schedule', { isScheduled: false }],
    ['fixedIntervals', 'an overdue copy', { overdue: 1 }],
    ['fixedIntervals', 'an empty archive', { files: 0 }],
    ['checksDocumented', 'there was none', { hasChecks: false }],
    ['checksDocumented', 'the audit log was edited', { isAuditLogWhole: false }],
    ['afterEvents', 'no check since the last finding', { isCheckedSinceTrouble: false }],
    ['damageRepaired', 'a bad copy', { bad: 1 }],
    ['contentKnown', 'a job without metadata', { jobsWithoutMetadata: 1 }],
    ['contentKnown', 'a file of no job', { filesWithoutJob: 1 }],
    ['contentKnown', 'no metadata at all', { hasMetadata: false }],
    ['actionsRecorded', 'the audit log was edited', { isAuditLogWhole: false }],
  ]
  test.each(rows)('%s: not with %s', (id, _, changes) => {
    expect(stateOf(good, id)).toBe('met')
    expect(stateOf({ ...good, ...changes }, id)).toBe('notMet')
    // A declaration does not override what Loupe verified.
    expect(stateOf({ ...good, ...changes }, id, [id])).toBe('notMet')
  })
  test.each(['integrityElsewhere', 'inventoryElsewhere'])(
    '%s: met by a backup in a separate place, or by a declaration of the institution about another one',
    (id) => {
      const without = { ...good, isBackedUpApart: false }
      expect([stateOf(good, id), stateOf(good, id, [id])]).toEqual(['met', 'met'])
      expect([stateOf(without, id), stateOf(without, id, [id])]).toEqual(['notMet', 'declared'])
    },
  )
  test.each(always)('%s: Loupe does it always', (id) => expect(stateOf(good, id)).toBe('met'))
  test('three copies, one of them elsewhere, are enough for the second level', () => {
    expect(stateOf({ ...good, ...inPlaces('Aarhus', 'Aarhus', 'Odense') }, 'threeCopies')).toBe('met')
  })
  test('every condition has a row here', () => {
    const tested = new Set([...rows.map(([id]) => id), ...always, ...declarable])
    expect(conditions.map(({ id }) => id).filter((id) => !tested.has(id))).toEqual([])
    expect(new Set(conditions.map(({ id }) => id)).size).toBe(conditions.length)
  })
})

test.each(declarable)('%s: not met until the institution declares it, then reported as declared', (id) => {
  const unknown = { ...good, isBackedUpApart: false }
  expect(stateOf(unknown, id)).toBe('notMet')
  expect(stateOf(unknown, id, [id])).toBe('declared')
  const need = conditions.find((condition) => condition.id === id)?.need
  expect(need && textOf(need)).toContain(`"${id}"`)
})

describe('the level', () => {
  const all = [...declarable]
  test('nothing that Loupe cannot verify is assumed', () => {
    expect(levelsOf(good, []).map(({ area, level }) => [area, level])).toEqual([
      ['storage', 0],
      ['integrity', 0],
      // Its inventory is backed up apart, and its content is known.
      ['metadata', 2],
    ])
  })
  test('the highest, with everything declared', () => {
    for (const judged of levelsOf(good, all)) expect([judged.area, judged.level, judged.next]).toEqual([judged.area, 4, []]) // prettier-ignore
  })
  const rows: [area: Area, level: number, declared: string[], changes: Partial<Facts>, lacking: RegExp][] = [
    ['storage', 1, ['stableStorage'], {}, /dependencies of the storage systems/],
    ['storage', 1, all, inPlaces('Aarhus', 'Odense'), /^Three complete copies/],
    ['storage', 3, all, inPlaces('Aarhus', 'Aarhus', 'Odense'), /^Three complete copies in three geographic locations/],
    ['storage', 3, all.filter((id) => id !== 'threatsDiffer'), {}, /a different disaster threat/],
    ['integrity', 2, all, { overdue: 1 }, /at fixed intervals.*overdueDays/],
    ['integrity', 3, all, { bad: 1 }, /replaced or repaired/],
    [
      'metadata',
      0,
      [],
      { isBackedUpApart: false },
      /^The inventory is backed up.*backup\.folder.*"inventoryElsewhere"/,
    ],
    ['metadata', 1, all, { jobsWithoutMetadata: 2 }, /to know what the content is/],
    ['metadata', 3, all, { isAuditLogWhole: false }, /audit --verify/],
  ]
  test.each(rows)('%s %i', (area, level, declared, changes, lacking) => {
    const judged = levelOf({ ...good, ...changes }, area, declared)
    expect(judged?.level).toBe(level)
    expect(judged?.next[0] && textOf(judged.next[0])).toMatch(lacking)
  })
  test('an unmet lower level limits it, whatever is met above', () => {
    expect(levelOf(good, 'storage', all.filter((id) => id !== 'stableStorage'))?.level).toBe(0) // prettier-ignore
  })
})
