/** What follows from what an output should have and what it was sent: one row per case. */
import { expect, test } from 'vitest'
import { hashOf, removedHash, stepFor, type Desired, type Known, type Step } from './desired.ts'

const versions = { version: 'v', outputVersion: 'o', transformationVersion: 't' }
const content: Desired = { kind: 'content', versions }
const nothing: Desired = { kind: 'nothing', versions }
const absent: Desired = { kind: 'absent' }
const sent: Known = { content: 'sent', ...versions }
const none: Known = { content: 'none', ...versions }
const removed: Known = { content: 'removed', version: '', outputVersion: '', transformationVersion: '' }

test.each<[string, Desired, Known | undefined, Step]>([
  ['a new document', content, undefined, 'send'],
  ['an unchanged one', content, sent, 'checked'],
  ['a changed one', content, { ...sent, version: 'w' }, 'send'],
  ['other settings', content, { ...sent, outputVersion: 'p' }, 'send'],
  ['other processors', content, { ...sent, transformationVersion: 'u' }, 'send'],
  ['one that is taken now', content, none, 'send'],
  ['one that comes back', content, removed, 'send'],
  ['one that is not taken', nothing, undefined, 'remember'],
  ['one that is no longer taken', nothing, sent, 'remove'],
  ['one that is still not taken', nothing, none, 'checked'],
  ['another one that is not taken', nothing, { ...none, version: 'w' }, 'remember'],
  ['one that was removed and is not taken', nothing, removed, 'remember'],
  ['one that no job has any more', absent, sent, 'remove'],
  ['one that was not taken and is gone', absent, none, 'forget'],
  ['one that was removed', absent, removed, 'checked'],
  ['one that was never sent', absent, undefined, 'forget'],
])('%s', (_, desired, known, step) => {
  expect(stepFor(desired, known)).toBe(step)
})

test('each part of the versions changes the hash, and none gives that of a removal', () => {
  const hashes = [
    versions,
    { ...versions, version: 'w' },
    { ...versions, outputVersion: 'p' },
    { ...versions, transformationVersion: 'u' },
    // The parts are delimited.
    { version: 'vo', outputVersion: '', transformationVersion: 't' },
  ].map(hashOf)
  expect(new Set([...hashes, removedHash]).size).toBe(6)
})
