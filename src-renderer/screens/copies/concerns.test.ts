import { message } from '../../../src-main/contract/words/message.ts'
import { expect, test } from 'vitest'
import type { BackupFinding, BackupStatus } from '../../../src-main/contract/services/backups.ts'
import type { ArchiveStatus } from '../../../src-main/contract/services/archiveStatus.ts'
import type { AuditVerdict } from '../../../src-main/contract/services/audit.ts'
import type { FileVote } from '../../../src-main/contract/services/votes.ts'
import type { ReplicaState } from '../../../src-main/contract/services/replicas.ts'
import { verdictOf } from './concerns.ts'

const at = '2026-11-20T12:00:00Z'

function replica(changes: Partial<ReplicaState> = {}): ReplicaState {
  return {
    replica: 'ONE',
    kind: 'files',
    folder: '/one',
    reachable: true,
    files: 3,
    bytes: 300,
    freeBytes: 1_000,
    lastMissingCheck: at,
    lastChecksumCheck: at,
    neverChecked: 0,
    missing: 0,
    corrupt: 0,
    notStored: 0,
    operations: [],
    lastFailure: null,
    place: null,
    overdue: 0,
    firstCheckDue: null,
    oldestVerified: at,
    ...changes,
  }
}

function backedUp(...kinds: BackupFinding['kind'][]): BackupStatus {
  const findings = kinds.map((kind) => ({ kind, name: null, message: message('text', { text: 'Something.' }) }))
  return {
    ...{ folder: '/backups', reachable: true, everyHours: 24, keepCount: 7, keepDays: 30, last: null, kept: 0 },
    ...{ bytes: 0, next: null, apart: true, current: true, findings, running: null },
  }
}

function status(changes: Partial<ArchiveStatus> = {}): ArchiveStatus {
  const replicas = [replica(), replica({ replica: 'TWO' })]
  return {
    at,
    fine: true,
    overdueDays: 180,
    lost: [],
    lostTotal: 0,
    replicas,
    findings: [],
    aging: [],
    votes: [],
    spots: [],
    outside: { waiting: [], waitingTotal: 0, unknown: [], unknownTotal: 0 },
    backup: backedUp(),
    ...changes,
  }
}

const broken: AuditVerdict = {
  whole: false,
  entries: 2,
  broken: { number: 3, kind: 'changed', message: message('audit.changed', { number: 3 }) },
  head: null,
  witness: { state: 'agrees', number: 2 },
  message: message('text', { text: 'The audit log was tampered with.' }),
}

const tie: FileVote = {
  name: 'a.warc',
  job: 1,
  bytes: 1,
  registered: 'aa',
  registeredVerdict: 'unknown',
  winner: null,
  votes: 1,
  needed: 2,
  copies: [],
  message: message('vote.none', { votes: 1, needed: 2 }),
}
const stray = { replica: 'TWO', name: 'stray', finding: 'surplus', expected: null, found: null, job: null } as const
const spot = { name: 'a.warc', job: 1, at, salt: '00', verdict: 'differ', answers: [] } as const

const rows: [what: string, changes: Partial<ArchiveStatus>, auditLog: AuditVerdict | null, concerns: string[]][] = [
  ['all is well', {}, null, []],
  ['all is well, with its audit log', {}, { ...broken, whole: true, broken: null }, []],
  [
    'a copy is wrong',
    { replicas: [replica(), replica({ replica: 'TWO', corrupt: 2 })] },
    null,
    ['corrupt 2 TWO failed'],
  ],
  [
    'a file is lost',
    { replicas: [replica({ missing: 1 })], lostTotal: 1 },
    null,
    ['lost 1  failed', 'missing 1 ONE failed'],
  ],
  ['a copy is gone', { replicas: [replica({ missing: 1 })] }, null, ['missing 1 ONE failed']],
  ['a copy was never stored', { replicas: [replica({ notStored: 1 })] }, null, ['notStored 1 ONE failed']],
  ['a backup failed and another is damaged', { backup: backedUp('failed', 'damaged') }, null, ['backups 2  attention']],
  [
    'the database is damaged, before what only concerns copies',
    { backup: backedUp('failed', 'database'), replicas: [replica({ missing: 1 })] },
    null,
    ['database 1  failed', 'missing 1 ONE failed', 'backups 1  attention'],
  ],
  ['a vote is a tie', { votes: [tie] }, null, ['undecided 1  failed']],
  [
    'the catalogue is outvoted',
    { votes: [{ ...tie, winner: 'bb', registeredVerdict: 'wrong' }] },
    null,
    ['undecided 1  failed'],
  ],
  ['a vote is decided', { votes: [{ ...tie, winner: 'aa', registeredVerdict: 'right' }] }, null, []],
  ['a spot check found something', { spots: [{ ...spot, answers: [] }] }, null, ['spots 1  failed']],
  ['a drive is away', { replicas: [replica({ reachable: false })] }, null, ['away 1 ONE attention']],
  ['a stray file', { findings: [stray] }, null, ['surplus 1 TWO attention']],
  [
    'files in the quarantine',
    { outside: { waiting: [], waitingTotal: 0, unknown: [], unknownTotal: 2 } },
    null,
    ['unknown 2  attention'],
  ],
  [
    'a file that no replica took',
    { outside: { waiting: [], waitingTotal: 1, unknown: [], unknownTotal: 0 } },
    null,
    ['waiting 1  attention'],
  ],
  ['a new copy is fine until its first check is due', { replicas: [replica({ neverChecked: 3 })] }, null, []],
  ['overdue', { replicas: [replica({ overdue: 1 })] }, null, ['overdue 1 ONE attention']],
  ['the past was changed', {}, broken, ['auditLog 1  failed']],
  [
    'everything at once, the most urgent first',
    {
      replicas: [
        replica({ overdue: 1, neverChecked: 1, missing: 2 }),
        replica({ replica: 'TWO', reachable: false, corrupt: 1, missing: 1 }),
      ],
      votes: [tie],
    },
    broken,
    [
      'corrupt 1 TWO failed',
      'missing 3 ONE,TWO failed',
      'undecided 1  failed',
      'away 1 TWO attention',
      'overdue 1 ONE attention',
      'auditLog 1  failed',
    ],
  ],
]

test.each(rows)('%s', (_what, changes, auditLog, concerns) => {
  const verdict = verdictOf(status(changes), auditLog)
  expect(
    verdict.concerns.map(({ kind, count, replicas, tone }) => `${kind} ${count} ${replicas.join()} ${tone}`),
  ).toEqual(concerns)
  expect(verdict.is).toBe(concerns.length === 0 ? 'fine' : 'needsAction')
})

test('a problem that the engine reports is shown as one', () => {
  expect(verdictOf(status({ fine: false }), null)).toEqual({ is: 'needsAction', concerns: [] })
})

test('an archive without files is empty, not fine', () => {
  expect(verdictOf(status({ replicas: [replica({ files: 0 })] }), null).is).toBe('empty')
})
