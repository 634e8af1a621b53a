import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CheckSummary } from '../../../src-main/contract/services/checks.ts'
import { contract } from '../../../src-main/contract/contract.ts'
import { check } from '../../state/testing/storeFixtures.ts'
import {
  checkExtents,
  checkKinds,
  problemOf,
  rateSeen,
  requestOf,
  secondsFor,
  usualCheck,
  type CheckDraft,
} from './checkDraft.ts'

const draft: CheckDraft = { ...usualCheck, kind: 'checksums', replica: null }

const rows: [changes: Partial<CheckDraft>, problem: string | null, request: object | null][] = [
  [{}, null, { kind: 'checksums' }],
  [{ kind: 'missing', replica: 'TWO' }, null, { kind: 'missing', replica: 'TWO' }],
  [{ extent: 'pattern' }, 'noPattern', null],
  [{ extent: 'pattern', pattern: '^3-(' }, 'wrongPattern', null],
  [{ extent: 'pattern', pattern: ' ^3- ' }, null, { kind: 'checksums', files: '^3-' }],
  // Input for an option that is not selected does not count.
  [{ pattern: '(' }, null, { kind: 'checksums' }],
  [{ extent: 'sample', sample: '' }, 'noNumber', null],
  [{ extent: 'sample', sample: '0' }, 'noNumber', null],
  [{ extent: 'sample', sample: '1.5' }, 'noNumber', null],
  [{ extent: 'sample', sample: ' 20 ' }, null, { kind: 'checksums', sample: 20 }],
  [{ kind: 'spot' }, null, null],
  [{ kind: 'spot', spotFiles: 'ten' }, 'noNumber', null],
  [{ kind: 'spot', spotFiles: '1001' }, 'tooMany', null],
]
test.each(rows)('%j', (changes, problem, request) => {
  expect([problemOf({ ...draft, ...changes }), requestOf({ ...draft, ...changes })]).toEqual([problem, request])
})

test('any input gives a valid request, or none and a reason', () => {
  const typed = fc.record({
    kind: fc.constantFrom(...checkKinds),
    replica: fc.option(fc.string()),
    extent: fc.constantFrom(...checkExtents),
    pattern: fc.oneof(fc.string(), fc.constantFrom('[', '(?<', '\\', 'a{2}', '\\u{110000}')),
    sample: fc.oneof(fc.string(), fc.nat().map(String)),
    spotFiles: fc.oneof(fc.string(), fc.nat().map(String)),
  })
  fc.assert(
    fc.property(typed, (one) => {
      const request = requestOf(one)
      if (request) expect(contract.archive.check.input.safeParse(request).success).toBe(true)
      else expect(one.kind === 'spot' || problemOf(one) !== null).toBe(true)
      if (one.kind === 'spot' && problemOf(one) === null)
        expect(contract.archive.spotCheck.input.safeParse({ files: Number(one.spotFiles) }).success).toBe(true)
    }),
  )
})

function done(seconds: number, changes: Partial<CheckSummary> = {}): CheckSummary {
  // The clock was set back while the check ran.
  const ended = '2026-11-20T11:00:00.000Z'
  return check({ state: 'DONE', ended, runningMs: seconds * 1000, filesDone: 10, bytesDone: 1_000, ...changes })
}

describe('estimated duration', () => {
  test('is taken from completed checks of the same kind', () => {
    expect(rateSeen([], 'checksums')).toBeUndefined()
    expect(rateSeen([done(10), done(1, { kind: 'missing' })], 'checksums')).toBe(100)
    expect(rateSeen([done(1, { kind: 'missing' })], 'missing')).toBe(10)
    expect(rateSeen([done(10, { state: 'STOPPED' })], 'checksums')).toBeUndefined()
    expect(rateSeen([done(0)], 'checksums')).toBeUndefined()
  })
  test('ignores checks that were paused for days or limited in speed', () => {
    expect(rateSeen([done(10), done(86_400), done(20)], 'checksums')).toBe(100)
    expect(rateSeen([done(86_400), done(2_000), done(10), done(2_000)], 'checksums')).toBe(100)
    expect(rateSeen([done(10, { startedBy: 'schedule' })], 'checksums')).toBeUndefined()
  })
  test('uses only the last checks', () => {
    expect(
      rateSeen([...Array<CheckSummary>(5).fill(done(10)), ...Array<CheckSummary>(20).fill(done(1))], 'checksums'),
    ).toBe(100)
  })
  const estimate = { files: 1, of: 1, copies: 20, bytes: 1_000, names: [] }
  test.each([
    ['checksums', 100, 0, 10],
    ['checksums', 100, 10, 100],
    ['checksums', 100, 1_000, 10],
    ['checksums', undefined, 50, 20],
    ['checksums', undefined, 0, undefined],
    ['missing', 10, 1, 2],
    ['missing', undefined, 1, undefined],
  ] as const)('%s at %s, at most %s: %s s', (kind, rate, bytesPerSecondMax, seconds) => {
    expect(secondsFor(estimate, kind, rate, bytesPerSecondMax)).toBe(seconds)
  })
})
