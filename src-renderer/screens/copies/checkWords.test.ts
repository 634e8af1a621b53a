import { expect, test } from 'vitest'
import type { CheckSummary } from '../../../src-main/contract/services/checks.ts'
import { check as checkOf } from '../../state/testing/storeFixtures.ts'
import type { Translate } from '../../words/words.tsx'
import { checkName, unfinished, whyNoCheck } from './checkWords.ts'

const t: Translate = (id: unknown, values: Record<string, string | number> = {}) =>
  `${String(id)}${Object.keys(values).length > 0 ? ` ${Object.values(values).join(' ')}` : ''}`

function check(number: number, changes: Partial<CheckSummary> = {}): CheckSummary {
  const done = { state: 'DONE', filesTotal: 3, filesDone: 3, bytesTotal: 9, bytesDone: 9 } as const
  return checkOf({ task: number, replicas: ['ONE', 'TWO'], ...done, ...changes })
}

const stopped: [what: string, checks: CheckSummary[], offered: number[]][] = [
  ['all went through', [check(2), check(1)], []],
  ['the last was stopped', [check(2, { state: 'STOPPED' }), check(1)], [2]],
  ['one that failed', [check(2, { state: 'FAILED' })], [2]],
  ['a later one went over the same', [check(2), check(1, { state: 'STOPPED' })], []],
  ['a later one of another kind', [check(2, { kind: 'missing' }), check(1, { state: 'STOPPED' })], [1]],
  ['a later one of one replica only', [check(2, { replicas: ['ONE'] }), check(1, { state: 'STOPPED' })], [1]],
  ['a later one that was stopped too', [check(2, { state: 'STOPPED' }), check(1, { state: 'STOPPED' })], [2]],
  // A few files of all say nothing about the rest.
  ['a later one by chance', [check(2, { sample: 1 }), check(1, { state: 'STOPPED' })], [1]],
  ['a later one by name', [check(2, { files: '^3-' }), check(1, { state: 'STOPPED' })], [1]],
]
test.each(stopped)('checks that can be resumed: %s', (_what, checks, offered) =>
  expect(unfinished(checks).map(({ task }) => task)).toEqual(offered),
)

const one = { replica: 'ONE', reachable: true }
const busy: [what: string, replicas: (typeof one)[], checks: CheckSummary[], why: string | null][] = [
  ['no obstacle', [one], [], null],
  ['no replica', [], [], 'checkDialog.why.none'],
  ['its drive is not connected', [{ ...one, reachable: false }], [], 'checkDialog.why.unreachable'],
  [
    'one of two is not connected',
    [
      { ...one, reachable: false },
      { ...one, replica: 'TWO' },
    ],
    [],
    null,
  ],
  ['a check of it runs', [one], [check(4, { state: 'RUNNING' })], 'checkDialog.why.running 4'],
  ['a check of another runs', [one], [check(4, { state: 'RUNNING', replicas: ['TWO'] })], null],
  ['the schedule makes way', [one], [check(4, { state: 'RUNNING', startedBy: 'schedule' })], null],
]
test.each(busy)('why no check: %s', (_what, replicas, checks, why) => expect(whyNoCheck(t, replicas, checks)).toBe(why))

test('a check is named with its files, and as one that was started automatically', () => {
  expect(checkName(t, check(3, { startedBy: 'schedule' }))).toBe('check.checksums 3 ONE, TWO · checks.begunBy.schedule')
  expect(checkName(t, check(3))).toBe('check.checksums 3 ONE, TWO')
  expect(checkName(t, check(3, { kind: 'missing', files: '^3-', sample: 5 }))).toBe(
    'check.missing 3 ONE, TWO · check.of.pattern ^3- · check.of.sample 5',
  )
})
