/** Records the store machine's decisions in the database: rows and states of the copies, the time when the file was stored, and the
 *  entry in the audit log. Called within the transaction of one message. */
import { isStoredCopy } from '../../contract/states/copyStates.ts'
import { uploadStates } from '../../contract/states/states.ts'
import { storedMessage } from '../../contract/words/message.ts'
import { mover } from '../../storage/guard.ts'
import { openAuditLog } from '../audit/audit.ts'
import type { CopyRow, FileRow } from '../copies/archive.sql.ts'
import { openObservations } from '../copies/observations.ts'
import type { Effect } from './storeMachine.ts'
import type { StoringParts } from './storingParts.ts'

/** Creates the writer of the machine's decisions. Throws when the state of a copy was changed elsewhere. */
export function uploadRecords({ store, world, statements, replicas }: Omit<StoringParts, 'limits' | 'onChange'>) {
  const move = mover(store, uploadStates, { table: 'replica_file', column: 'upload_state' })
  const auditLog = openAuditLog(store)
  const observations = openObservations(store)
  const replicaNames = replicas.map(({ name }) => name)

  function markStored(file: FileRow): void {
    const nowMs = world.clock.now()
    const marked = statements.markStored.run({ file: file.id, replicas: JSON.stringify(replicaNames), nowMs })
    if (marked === 0) return
    const became = { bytes: file.bytes, sha256: file.sha256, replicas: replicaNames }
    const who = file.jobId === null ? 'upload' : `job ${file.jobId}`
    auditLog.append({ who, what: 'store', subject: file.name, became }, nowMs)
  }

  function copiesOf(file: FileRow): CopyRow[] {
    return statements.copiesOf.all({ files: JSON.stringify([file.id]) })
  }

  function note(row: FileRow, effect: Effect): void {
    if (effect.kind === 'begin') statements.addCopy.run({ file: row.id, replica: effect.replica })
    if (effect.kind === 'upload') statements.noteAttempt.run({ file: row.id, replica: effect.replica })
    if (effect.kind === 'stored') markStored(row)
    if (effect.kind !== 'move') return
    const copy = copiesOf(row).find(({ replica }) => replica === effect.replica)
    const state = copy && move(copy.id, effect.event)
    if (!copy || state === undefined)
      throw new Error(`the upload of ${row.name} cannot take ${effect.event}: its state was changed elsewhere`)
    statements.noteProblem.run({ id: copy.id, problem: effect.problem ? storedMessage(effect.problem.message) : null })
    if (!isStoredCopy({ upload: state })) return
    observations.note(copy.id, { seen: 'stored', sha256: row.sha256, bytes: row.bytes }, world.clock.now())
  }

  return { note, copiesOf }
}

export type UploadRecords = ReturnType<typeof uploadRecords>
