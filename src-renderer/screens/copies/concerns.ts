/** Status of the archive from all that is known: problems, the most urgent first. Pure; the texts are in `words/`. Copies that were never
 *  checked never count as fine. */
import type { BackupFinding } from '../../../src-main/contract/services/backups.ts'
import type { ArchiveStatus } from '../../../src-main/contract/services/archiveStatus.ts'
import type { AuditVerdict } from '../../../src-main/contract/services/audit.ts'
import type { FileVote } from '../../../src-main/contract/services/votes.ts'
import type { Tone } from '../../../src-main/contract/states/stateTable.ts'

/** In the order of urgency: possible loss of content before copies that are due for a check. */
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
  'trail',
] as const
type ConcernKind = (typeof concernKinds)[number]

export interface Concern {
  kind: ConcernKind
  count: number
  /** The replicas that it is about; none for what is about all. */
  replicas: string[]
  tone: Tone
}

export interface Verdict {
  /** `empty`: there is nothing in it that could be wrong. */
  is: 'fine' | 'empty' | 'needsPerson'
  concerns: Concern[]
}

const needsAttention: readonly ConcernKind[] = ['away', 'waiting', 'surplus', 'unknown', 'overdue', 'backups']

/** `trail`: as it was last verified; null when it was not. */
export function verdictOf(status: ArchiveStatus, trail: AuditVerdict | null): Verdict {
  const concerns = concernKinds
    .map((kind) => ({ kind, ...countOf(kind, status, trail) }))
    .filter(({ count }) => count > 0)
    .map<Concern>((concern) => ({ ...concern, tone: needsAttention.includes(concern.kind) ? 'attention' : 'failed' }))
  if (concerns.length > 0) return { is: 'needsPerson', concerns }
  // The engine knows of something that is none of these: it is not said to be fine over its head.
  if (!status.fine) return { is: 'needsPerson', concerns }
  const isEmpty = status.replicas.every(({ files }) => files === 0)
  return { is: isEmpty ? 'empty' : 'fine', concerns }
}

/** Votes that cannot say which copy is right, or say that the catalogue is wrong: no repair without a person. */
export function undecided({ votes, lost }: Pick<ArchiveStatus, 'votes' | 'lost'>): FileVote[] {
  // Of a lost file there is no copy that could be the right one.
  const lostNames = new Set(lost.map(({ name }) => name))
  return votes.filter(
    ({ name, winner, registeredVerdict }) => !lostNames.has(name) && (winner === null || registeredVerdict === 'wrong'),
  )
}

function countOf(
  kind: ConcernKind,
  status: ArchiveStatus,
  trail: AuditVerdict | null,
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
    case 'trail':
      return { count: trail && !trail.whole ? 1 : 0, replicas: [] }
    default: {
      const having = replicas.filter((row) => row[kind] > 0)
      return {
        count: having.reduce((sum, row) => sum + row[kind], 0),
        replicas: having.map(({ replica }) => replica),
      }
    }
  }
}

/** The database itself is damaged, and not one of its backups. */
function isOfDatabase({ kind }: BackupFinding): boolean {
  return kind === 'database'
}
