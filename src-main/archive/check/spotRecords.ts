/** Writes spot checks to the database, the audit log and the history of the replicas. */
import type { SpotCheckSummary, SpotFinding } from '../../contract/services/votes.ts'
import type { TaskSummary } from '../../contract/services/tasks.ts'
import type { Store } from '../../storage/storage.ts'
import type { Clock } from '../../world/world.ts'
import { openAuditLog } from '../audit/audit.ts'
import { replicaEvents } from '../copies/replicaEvents.ts'
import type { Resumer } from '../../tasks/task.ts'
import type { SpotReplica } from './spotAnswers.ts'
import type { SpotRow, SpotStatements } from './spotChecks.sql.ts'
import { doubtful, isAlarming, spotVerdict, type Answer, type SpotVerdict } from './spotVerdict.ts'

export interface ChosenFile {
  id: number
  name: string
}

interface SpotRecordsParts {
  replicas: readonly SpotReplica[]
  store: Store
  clock: Clock
}

/** A spot check that is being made. */
export interface RunningSpotCheck {
  /** Number of its task. */
  id: number
  by: Resumer
}

interface Answers {
  salt: string
  answers: readonly Answer[]
}

export type SpotRecords = ReturnType<typeof spotRecords>

/** Opens the records. `ended` writes in the transaction of its caller, the others in one of their own. */
export function spotRecords({ replicas, store, clock }: SpotRecordsParts, statements: SpotStatements) {
  const auditLog = openAuditLog(store)
  const events = replicaEvents(store)

  /** Starts the event of every replica that can answer for some of these files. */
  function beginEvents({ id, by }: RunningSpotCheck, files: readonly ChosenFile[], nowMs: number): void {
    for (const { name: replica, kind } of replicas) {
      if (kind === 'checksums') continue
      const filesTotal = files.filter((file) => statements.holds.get({ file: file.id, replica })).length
      if (filesTotal > 0) events.begin({ replica, kind: 'spot', number: id }, { begunBy: by, filesTotal }, nowMs)
    }
  }

  const findingsOf = (check: number) => statements.spots.all({ check }).map(spotFindingOf)

  return {
    /** Joins a task of a spot check with its answers so far. */
    summaryOf: (task: TaskSummary): SpotCheckSummary => ({ ...task, kind: 'spot', files: findingsOf(task.task) }),
    begun(check: RunningSpotCheck, files: readonly ChosenFile[]): void {
      const nowMs = clock.now()
      const became = { files: files.map(({ name }) => name) }
      store.transaction(() => {
        beginEvents(check, files, nowMs)
        auditLog.append({ who: check.by, what: 'spotCheckBegun', subject: subjectOf(check), became }, nowMs)
      })
    },
    /** Records the answers about one file, and returns what they mean together. */
    answered({ id, by }: RunningSpotCheck, file: ChosenFile, { salt, answers }: Answers): SpotVerdict {
      const verdict = spotVerdict(answers)
      const nowMs = clock.now()
      store.transaction(() => {
        const row = { check: id, file: file.id, nowMs, salt, verdict, answers: JSON.stringify(answers) }
        statements.addSpot.run(row)
        for (const { replica, kind } of answers) {
          if (kind === 'notAsked' || kind === 'away') continue
          const findings = doubtful(answers).includes(replica) ? 1 : 0
          events.count({ replica, kind: 'spot', number: id }, { files: 1, findings }, nowMs)
        }
        if (!isAlarming(verdict)) return
        const became = { spotCheck: id, verdict, salt, answers }
        auditLog.append({ who: by, what: 'finding', subject: file.name, became }, nowMs)
      })
      return verdict
    },
    /** Writes the end to the audit log, within the transaction that ends the task. Good results are logged too: the table of spots is
     *  not part of the hash chain, so changes to it would go unnoticed. */
    ended(check: RunningSpotCheck): void {
      const became = { files: findingsOf(check.id).map(({ name, verdict }) => ({ name, verdict })) }
      auditLog.append({ who: check.by, what: 'spotCheckEnded', subject: subjectOf(check), became }, clock.now())
    },
  }
}

function subjectOf({ id }: RunningSpotCheck): string {
  return `spot check ${id}`
}

/** Converts a row to the form of the contract. */
export function spotFindingOf(row: SpotRow): SpotFinding {
  const answers = JSON.parse(row.answers) as Answer[]
  return {
    name: row.name,
    job: row.job,
    at: new Date(row.atMs).toISOString(),
    salt: row.salt,
    verdict: row.verdict,
    answers: answers.map((answer) => ({
      replica: answer.replica,
      kind: answer.kind,
      hmac: answer.kind === 'answered' ? answer.hmac : null,
      why: answer.kind === 'answered' ? null : answer.why,
    })),
  }
}
