/** Writes spot checks to the database, the audit log and the history of the replicas. */
import type { SpotCheckSummary, SpotFinding } from '../../contract/services/votes.ts'
import { timeOf } from '../../contract/text/timeOf.ts'
import type { Store } from '../../storage/storage.ts'
import type { Clock } from '../../world/world.ts'
import { auditTrail } from '../audit/audit.ts'
import { replicaEvents } from '../copies/replicaEvents.ts'
import type { Resumer } from '../../tasks/task.ts'
import type { SpotReplica } from './spotAnswers.ts'
import type { SpotCheckRow, SpotRow, SpotStatements } from './spotChecks.sql.ts'
import { doubtful, isAlarming, spotVerdict, type Answer } from './spotVerdict.ts'

export interface ChosenFile {
  id: number
  name: string
}

interface SpotRecordsParts {
  replicas: readonly SpotReplica[]
  store: Store
  clock: Clock
}

interface Answers {
  by: Resumer
  salt: string
  answers: readonly Answer[]
}

export type SpotRecords = ReturnType<typeof spotRecords>

/** Writes spot checks to the database, the audit log and the history of the replicas. */
export function spotRecords({ replicas, store, clock }: SpotRecordsParts, statements: SpotStatements) {
  const trail = auditTrail(store)
  const events = replicaEvents(store)

  /** Starts the event of every replica that can answer for some of these files. */
  function beginEvents({ id, begunBy }: SpotCheckRow, files: readonly ChosenFile[], nowMs: number): void {
    for (const { name: replica, kind } of replicas) {
      if (kind === 'checksums') continue
      const filesTotal = files.filter((file) => statements.holds.get({ file: file.id, replica })).length
      if (filesTotal > 0) events.begin({ replica, kind: 'spot', number: id }, { begunBy, filesTotal }, nowMs)
    }
  }

  function summaryOf(check: SpotCheckRow): SpotCheckSummary {
    return {
      spotCheck: check.id,
      begunBy: check.begunBy,
      started: new Date(check.startedMs).toISOString(),
      ended: timeOf(check.endedMs),
      files: statements.spots.all({ check: check.id }).map(spotFindingOf),
    }
  }

  return {
    summaryOf,
    begun({ by }: { by: Resumer }, files: readonly ChosenFile[]): SpotCheckRow {
      return store.transaction(() => {
        const nowMs = clock.now()
        const added = statements.add.get({ begunBy: by, nowMs })
        if (!added) throw new Error('adding a spot check gave no row')
        const became = { files: files.map(({ name }) => name) }
        beginEvents(added, files, nowMs)
        trail.append({ who: by, what: 'spotCheckBegun', subject: `spot check ${added.id}`, became }, nowMs)
        return added
      })
    },
    answered(check: SpotCheckRow, file: ChosenFile, { by, salt, answers }: Answers): void {
      const verdict = spotVerdict(answers)
      const nowMs = clock.now()
      store.transaction(() => {
        const row = { check: check.id, file: file.id, nowMs, salt, verdict, answers: JSON.stringify(answers) }
        statements.addSpot.run(row)
        for (const { replica, kind } of answers) {
          if (kind === 'notAsked' || kind === 'away') continue
          const findings = doubtful(answers).includes(replica) ? 1 : 0
          events.count({ replica, kind: 'spot', number: check.id }, { files: 1, findings }, nowMs)
        }
        if (!isAlarming(verdict)) return
        const became = { spotCheck: check.id, verdict, salt, answers }
        trail.append({ who: by, what: 'finding', subject: file.name, became }, nowMs)
      })
    },
    ended(check: SpotCheckRow, { by }: { by: Resumer }): SpotCheckSummary {
      const endedMs = clock.now()
      const summary = summaryOf({ ...check, endedMs })
      // Good results are logged too: the table of spots is not part of the hash chain, so changes to it would go unnoticed.
      const became = { files: summary.files.map(({ name, verdict }) => ({ name, verdict })) }
      store.transaction(() => {
        statements.end.run({ id: check.id, nowMs: endedMs })
        trail.append({ who: by, what: 'spotCheckEnded', subject: `spot check ${check.id}`, became }, endedMs)
      })
      return summary
    },
  }
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
