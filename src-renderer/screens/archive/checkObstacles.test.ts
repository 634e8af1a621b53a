import { expect, test } from 'vitest'
import { check } from '../../state/testing/storeFixtures.ts'
import type { Translate } from '../../words/words.tsx'
import { usualCheck, type CheckDraft } from './checkDraft.ts'
import { obstaclesTo } from './checkObstacles.ts'

const draft: CheckDraft = { ...usualCheck, kind: 'checksums', replica: null }
const byName: Partial<CheckDraft> = { extent: 'pattern', pattern: '^3-' }
const ready: Parameters<typeof obstaclesTo>[1] = {
  draft,
  replicas: [
    { replica: 'ONE', reachable: true },
    { replica: 'TWO', reachable: false },
  ],
  checks: [],
  spot: { is: 'none' },
  asking: false,
  isNothing: false,
}
/** Returns the key of a text. */
const t: Translate = (text) => (typeof text === 'string' ? text : text.code)

const rows: [what: string, changes: Partial<CheckDraft>, Partial<typeof ready>, object][] = [
  ['nothing', {}, {}, { field: null, wrong: null, why: null }],
  ['a pattern without a match', byName, { isNothing: true }, { field: 'files', wrong: 'noMatch', why: null }],
  ['an invalid pattern', { ...byName, pattern: '(' }, {}, { field: 'files', wrong: 'wrongPattern', why: null }],
  ['an empty archive', {}, { isNothing: true }, { field: null, wrong: null, why: 'nothing' }],
  ['an unreachable replica', { replica: 'TWO' }, {}, { why: 'unreachable' }],
  ['a running check of a chosen replica', { replica: 'ONE' }, { checks: [check()] }, { why: 'running' }],
  ['a running check of all replicas', {}, { checks: [check()], isNothing: true }, { why: 'running' }],
  ['a request without an answer', {}, { asking: true }, { why: 'beginning' }],
  ['a running spot check', { kind: 'spot' }, { spot: { is: 'asking', files: 10 } }, { why: 'asking' }],
  ['a running check, for a spot check', { kind: 'spot' }, { checks: [check()] }, { field: 'spotFiles', why: null }],
  ['a spot check of too many files', { kind: 'spot', spotFiles: '1001' }, {}, { field: 'spotFiles', wrong: 'tooMany' }],
]
test.each(rows)('%s', (_what, changes, situation, expected) => {
  const { field, wrong, why } = obstaclesTo(t, { ...ready, ...situation, draft: { ...draft, ...changes } })
  expect({ field, wrong: lastWord(wrong), why: lastWord(why) }).toMatchObject(expected)
})

function lastWord(key: string | null): string | null {
  return key?.split('.').at(-1) ?? null
}
