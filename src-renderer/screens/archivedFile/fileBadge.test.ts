import { message } from '../../../src-main/contract/words/message.ts'
import { expect, test } from 'vitest'
import type { ArchivedFile, FileHistory } from '../../../src-main/contract/services/archivedFiles.ts'
import { preservationStates, uploadStates } from '../../../src-main/contract/states/states.ts'
import { whatToRepair } from './copyTones.ts'
import { fileState, type FileState } from './fileBadge.ts'

const sha256 = 'ab'.repeat(32)
const now = '2026-11-20T12:00:00Z'
type Copy = ArchivedFile['replicas'][number]

/** `-` for no copy, an upload state for a copy that was not completely stored, or the preservation state of a stored one. */
function copyOf(replica: string, state: string): Copy[] {
  if (state === '-') return []
  const upload = uploadStates.states.find((known) => known === state)
  const preservation = preservationStates.states.find((known) => known === state)
  return [
    {
      replica,
      upload: upload ?? 'UPLOAD_COMPLETED',
      problem: null,
      preservation: preservation ?? 'UNCHECKED',
      checked: null,
      verified: null,
    },
  ]
}

function history(one: string, two: string, registeredVerdict: 'right' | 'wrong' | 'unknown' = 'right'): FileHistory {
  const of = { name: 'a.warc', job: 1, bytes: 3 }
  return {
    file: { ...of, kind: 'content', sha256, stored: now, replicas: [...copyOf('ONE', one), ...copyOf('TWO', two)] },
    vote: {
      ...of,
      registered: sha256,
      registeredVerdict,
      winner: null,
      votes: 1,
      needed: 2,
      copies: ['ONE', 'TWO'].map((replica) => ({ replica, verdict: 'unknown', checksum: null })),
      message: message('vote.noneRight'),
    },
    observations: [],
    attic: [],
    audit: [],
  }
}

test.each<[string, string, FileState]>([
  ['OK', 'OK', 'sound'],
  ['OK', 'PRESENT', 'unchecked'],
  ['OK', 'UNCHECKED', 'unchecked'],
  ['OK', '-', 'incomplete'],
  ['OK', 'UPLOAD_STARTED', 'incomplete'],
  ['OK', 'UPLOAD_FAILED', 'harmed'],
  ['OK', 'MISSING', 'harmed'],
  ['UNCHECKED', 'CORRUPT', 'harmed'],
  ['MISSING', 'CORRUPT', 'lost'],
  ['CORRUPT', '-', 'lost'],
])('ONE %s and TWO %s: %s', (one, two, state) => expect(fileState(history(one, two), [])).toBe(state))

test('copies that agree on another checksum than the registered one need attention', () =>
  expect(fileState(history('OK', 'OK', 'wrong'), [])).toBe('harmed'))

test.each<[string, string, 'right' | 'wrong', FileState]>([
  ['MISSING', 'OK', 'right', 'lost'],
  ['OK', 'MISSING', 'right', 'harmed'],
  ['CORRUPT', 'CORRUPT', 'wrong', 'harmed'],
])('ONE %s, and a list of checksums %s (%s in the catalogue): %s', (one, two, registered, state) =>
  expect(fileState(history(one, two, registered), ['TWO'])).toBe(state),
)

test.each<[string, ReturnType<typeof whatToRepair>]>([
  ['-', 'notStored'],
  ['UPLOAD_FAILED', 'notStored'],
  ['UPLOAD_STARTED', undefined],
  ['DATA_UPLOADED', undefined],
  ['MISSING', 'missing'],
  ['CORRUPT', 'corrupt'],
  ['UNCHECKED', undefined],
  ['OK', undefined],
])('the damage to repair in a copy in the state %s: %s', (state, expected) =>
  expect(whatToRepair(copyOf('ONE', state)[0])).toBe(expected),
)
