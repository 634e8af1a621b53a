import { describe, expect, test } from 'vitest'
import { batchRequest } from '../../../src-main/contract/services/batch.ts'
import { emptyDraft, isMinutes, minutesMax, moduleProblemOf, requestOf, type BatchDraft } from './batchDraft.ts'

const least = { module: 'checksums', kind: 'both', timeoutSeconds: 604_800, fileTimeoutSeconds: 3_600 }

test.each<[why: string, changes: Partial<BatchDraft>, request: object]>([
  ['nothing chosen', {}, least],
  ['a module, with the spaces of a paste', { builtIn: null, path: ' /home/me/count.mjs ' }, { ...least, module: '/home/me/count.mjs' }],
  ['an unused path', { path: '/home/me/count.mjs' }, least],
  ['all fields', { files: '^12-', job: 12, kind: 'content', replica: 'TWO', minutes: 5, fileMinutes: 1 }, { module: 'checksums', files: '^12-', jobs: [12], kind: 'content', replica: 'TWO', timeoutSeconds: 300, fileTimeoutSeconds: 60 }],
  ['the longest times', { minutes: minutesMax, fileMinutes: minutesMax }, { ...least, timeoutSeconds: minutesMax * 60, fileTimeoutSeconds: minutesMax * 60 }],
])('the request of %s', (_, changes, request) => {
  expect(requestOf({ ...emptyDraft, ...changes })).toEqual(request)
  expect(batchRequest.parse(request)).toEqual(request)
}) // prettier-ignore

test('the initial values are the defaults of the engine', () => {
  expect(batchRequest.parse({ module: 'checksums' })).toEqual(requestOf(emptyDraft))
})

describe('invalid input', () => {
  test.each<[changes: Partial<BatchDraft>, problem: string | null]>([
    [{}, null],
    [{ builtIn: null }, 'path'],
    [{ builtIn: null, path: '  ' }, 'path'],
    [{ builtIn: null, path: '/home/me/count.js' }, 'ending'],
    [{ builtIn: null, path: '/home/me/count.mjs' }, null],
  ])('%o', (changes, problem) => {
    expect(moduleProblemOf({ ...emptyDraft, ...changes })).toBe(problem)
  })

  test('a missing or excessive time limit', () => {
    expect([0, Number.NaN, minutesMax + 1, 1, minutesMax].map(isMinutes)).toEqual([false, false, false, true, true])
  })
})
