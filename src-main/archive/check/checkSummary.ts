/** Rows of checks in the form of the contract. */
import type { CheckSummary } from '../../contract/services/checks.ts'
import { timeOf } from '../../contract/text/timeOf.ts'
import { messageFrom, type Message } from '../../contract/words/message.ts'
import type { CheckRow } from './preservation.sql.ts'

/** Converts a row; `seconds` excludes the time in which the check was stopped. */
export function summaryOf(row: CheckRow): CheckSummary {
  return {
    check: row.id,
    kind: row.kind,
    replicas: replicasOf(row),
    begunBy: row.begunBy,
    files: row.filesPattern,
    sample: row.sample,
    state: row.state,
    started: new Date(row.startedMs).toISOString(),
    ended: timeOf(row.endedMs),
    seconds: row.runningMs / 1000,
    filesTotal: row.filesTotal,
    filesDone: row.filesDone,
    bytesTotal: row.bytesTotal,
    bytesDone: row.bytesDone,
    findings: row.findings,
    problem: problemOf(row),
  }
}

/** Replicas of a check, stored as a JSON list. */
export function replicasOf(row: CheckRow): string[] {
  return JSON.parse(row.replicas) as string[]
}

/** Why a check failed, stored as a message. */
export function problemOf({ problem }: CheckRow): Message | null {
  return problem === null ? null : messageFrom(problem)
}
