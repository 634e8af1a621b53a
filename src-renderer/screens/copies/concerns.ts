/** The status of the archive: its problems, the most urgent first. Pure; the texts are in `words/`. Copies that were never checked do not
 *  count as fine. */
import type { BackupFinding } from '../../../src-main/contract/services/backups.ts'
import type { ArchiveStatus } from '../../../src-main/contract/services/archiveStatus.ts'
import type { AuditVerdict } from '../../../src-main/contract/services/audit.ts'
import type { FileVote } from '../../../src-main/contract/services/votes.ts'
import type { Tone } from '../../../src-main/contract/states/stateTable.ts'

/** In order of urgency: possible loss of content before copies that are due for a check. */
const concernKinds = [
  'lost',
  'database',
  'corrupt',
  'missing',
  'notStored',
  'undecided',
  'spots',
  'away',
  'waiting',
  'surplus',
  'unknown',
  'overdue',
  'backups',
  'auditLog',
] as const
type ConcernKind = (typeof concernKinds)[number]

export interface Concern {
  kind: ConcernKind
  count: number
  /** The replicas concerned; empty when the concern is about all of them. */
  replicas: string[]
  tone: Tone
}

export interface Verdict {
  /** `empty`: the archive has no files that could be damaged. */
  is: 'fine' | 'empty' | 'needsAction'
  concerns: Concern[]
}

const needsAttention: readonly ConcernKind[] = ['away', 'waiting', 'surplus', 'unknown', 'overdue', 'backups']

/** `auditLog`: the result of the last verification of the audit log; null when it was not verified. */
export function verdictOf(status: ArchiveStatus, auditLog: AuditVerdict | null): Verdict {
  const concerns = concernKinds
    .map((kind) => ({ kind, ...countOf(kind, status, auditLog) }))
    .filter(({ count }) => count > 0)
    .map<Concern>((concern) => ({ ...concern, tone: needsAttention.includes(concern.kind) ? 'attention' : 'failed' }))
  if (concerns.length > 0) return { is: 'needsAction', concerns }
  // The engine reports a problem of another kind, so the archive must not be shown as fine.
  if (!status.fine) return { is: 'needsAction', concerns }
  const isEmpty = status.replicas.every(({ files }) => files === 0)
  return { is: isEmpty ? 'empty' : 'fine', concerns }
}

/** Votes that cannot tell which copy is right, or show that the catalogue is wrong. A user must decide on these repairs. */
export function undecided({ votes, lost }: Pick<ArchiveStatus, 'votes' | 'lost'>): FileVote[] {
  // No copy of a lost file could be the right one.
  const lostNames = new Set(lost.map(({ name }) => name))
  return votes.filter(
    ({ name, winner, registeredVerdict }) => !lostNames.has(name) && (winner === null || registeredVerdict === 'wrong'),
  )
}

function countOf(
  kind: ConcernKind,
  status: ArchiveStatus,
  auditLog: AuditVerdict | null,
): { count: number; replicas: string[] } {
  const { replicas, findings, spots, outside, backup } = status
  switch (kind) {
    case 'lost':
      return { count: status.lostTotal, replicas: [] }
    case 'undecided':
      return { count: undecided(status).length, replicas: [] }
    case 'spots':
      return { count: spots.length, replicas: [] }
    case 'away': {
      const away = replicas.filter(({ reachable }) => !reachable)
      return { count: away.length, replicas: away.map(({ replica }) => replica) }
    }
    case 'surplus': {
      const surplus = findings.filter(({ finding }) => finding === 'surplus')
      return { count: surplus.length, replicas: [...new Set(surplus.map(({ replica }) => replica))] }
    }
    case 'waiting':
      return { count: outside.waitingTotal, replicas: [] }
    case 'unknown':
      return { count: outside.unknownTotal, replicas: [] }
    case 'database':
      return { count: backup.findings.filter(isOfDatabase).length, replicas: [] }
    case 'backups':
      return { count: backup.findings.filter((finding) => !isOfDatabase(finding)).length, replicas: [] }
    case 'auditLog':
      return { count: auditLog && !auditLog.whole ? 1 : 0, replicas: [] }
    default: {
      const having = replicas.filter((row) => row[kind] > 0)
      return {
        count: having.reduce((sum, row) => sum + row[kind], 0),
        replicas: having.map(({ replica }) => replica),
      }
    }
  }
}

/** Whether the database itself is damaged, as opposed to one of its backups. */
function isOfDatabase({ kind }: BackupFinding): boolean {
  return kind === 'database'
}
