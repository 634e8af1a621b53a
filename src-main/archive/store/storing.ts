/** Registers files in the catalogue and writes them to every replica, on request or after a crash. `registerFile.ts` checks the name,
 *  `uploadSessions.ts` runs the uploads that `storeMachine.ts` decides on, and `lostCopies.ts` handles copies that were lost since.
 *  Concurrent stores of one file share one upload session. */
import { message } from '../../contract/words/message.ts'
import { openAuditLog } from '../audit/audit.ts'
import type { FileRow } from '../copies/archive.sql.ts'
import { openObservations } from '../copies/observations.ts'
import { ArchiveFault, isArchiveOrDiskFault } from '../files/archiveFault.ts'
import type { Replica } from '../replica/replica.ts'
import { lostCopiesOf } from './lostCopies.ts'
import { pathOfFirst } from './reading.ts'
import { fileRegistry } from './registerFile.ts'
import type { Answer, Problem } from './storeMachine.ts'
import type { FileToAdopt, FileToStore, StoreOutcome, StoringParts, Watching } from './storingParts.ts'
import { turns } from './turns.ts'
import { uploadRecords } from './uploadRecords.ts'
import { uploadSessions } from './uploadSessions.ts'

/** Creates the functions that store files. Nothing runs until one of them is called. */
export function storing(parts: StoringParts) {
  const { store, world, statements, replicas, onChange } = parts
  const auditLog = openAuditLog(store)
  const observations = openObservations(store)
  const replicaNames = replicas.map(({ name }) => name)
  const inTurn = turns()
  const records = uploadRecords(parts)
  const sessions = uploadSessions({ ...parts, records, inTurn })
  const { register, registered } = fileRegistry(parts)
  const { lostCopies, restoreMissing } = lostCopiesOf({ ...parts, records, inTurn })

  async function storeOne(file: FileToStore, watching: Watching): Promise<StoreOutcome> {
    const { row, sha256 } = await register(file, watching.signal)
    let answer: Answer | undefined
    await sessions.run(row, {
      ...watching,
      source: file.path,
      message: (store) => ({ kind: 'store', store, sha256 }),
      answer: (given) => (answer = given),
    })
    if (!answer) throw new Error(`the store of ${file.name} was never answered`)
    const blockers =
      answer.kind !== 'otherFile' && watching.restoresMissing ? await restoreMissing(row, file, watching) : []
    return outcomeOf(row, answer, new Map(blockers))
  }

  function outcomeOf(row: FileRow, answer: Answer, blockers: ReadonlyMap<string, Problem>): StoreOutcome {
    if (answer.kind === 'otherFile')
      throw new ArchiveFault('refused', message('store.otherFile', { name: row.name, sha256: row.sha256 }))
    const unreported = answer.kind === 'notStored' ? answer.problems : []
    const problems = unreported.map(({ replica, code, message: problem }) => ({ replica, code, problem }))
    const lost = lostCopies(row, blockers)
    return problems.length + lost.length === 0
      ? { state: 'stored' }
      : { state: 'failed', problems: [...problems, ...lost] }
  }

  /** Removes leftover temporary files. Runs in turn per file, so that the temporary file of a copy in progress is not mistaken for a
   *  leftover. Names that are not in the catalogue are not Loupe's and are kept. */
  async function removeLeftovers(replica: Replica): Promise<void> {
    for (const name of await replica.leftovers()) {
      if (!statements.file.get({ name })) continue
      await inTurn(name, async () => {
        if (!(await isLastTrace(replica, name))) await replica.removeLeftover(name)
      })
    }
  }

  /** Whether the leftover may hold the last bytes of a copy: the copy counts as stored, but no file has its name. A disk that reports
   *  a rename as done and then loses it leaves the bytes under the temporary name. The next repair overwrites them. */
  async function isLastTrace(replica: Replica, name: string): Promise<boolean> {
    if (!statements.holds.get({ replica: replica.name, name })) return false
    try {
      return (await replica.stat(name)) === undefined
    } catch (error) {
      if (!isArchiveOrDiskFault(error)) throw error
      return true
    }
  }

  /** Continues an interrupted upload. Uses a good copy in another replica as the source where the bytes are not in the replica yet. */
  async function finish(name: string, signal: AbortSignal): Promise<void> {
    const file = statements.file.get({ name })
    if (!file) throw new Error(`${name} left the catalogue`)
    const source = (await pathOfFirst(statements, replicas, name))?.path
    const message = { kind: 'resume', hasSource: source !== undefined } as const
    await sessions.run(file, { signal, onProgress: () => undefined, source, message: () => message })
  }

  /** Registers a file whose copies were just read with this checksum, and marks each as stored. */
  function adopt({ name, kind, jobId, bytes, sha256 }: FileToAdopt, holders: readonly string[]): void {
    store.transaction(() => {
      const row = statements.file.get({ name }) ?? registered({ name, bytes, sha256, kind, job: jobId })
      if (!row) throw new Error(`registering ${name} gave no row`)
      const nowMs = world.clock.now()
      for (const replica of holders) {
        const copy = statements.addStoredCopy.get({ file: row.id, replica })
        if (copy) observations.note(copy.id, { seen: 'stored', sha256, bytes }, nowMs)
      }
      statements.markStored.run({ file: row.id, replicas: JSON.stringify(replicaNames), nowMs })
      const became = { bytes, sha256, job: jobId, replicas: holders }
      auditLog.append({ who: 'recovery', what: 'recover', subject: name, became }, nowMs)
    })
    onChange()
  }

  return {
    store: storeOne,
    adopt,
    inTurn,
    async resume(signal: AbortSignal): Promise<void> {
      for (const replica of replicas) await removeLeftovers(replica)
      for (const { name } of statements.unfinished.all({ replicas: JSON.stringify(replicaNames) }))
        await finish(name, signal)
    },
  }
}
