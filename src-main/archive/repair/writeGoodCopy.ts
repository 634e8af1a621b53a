/** The last steps of a repair: writes the good copy to the replica, reads it back, and reads its source once more. */
import type { RepairCondition } from '../../contract/services/repairs.ts'
import { message, type Message } from '../../contract/words/message.ts'
import type { Store } from '../../storage/storage.ts'
import { DiskFault, type World } from '../../world/world.ts'
import type { FileRow } from '../copies/archive.sql.ts'
import { observationRecorder } from '../copies/recordObservation.ts'
import { ArchiveFault, faultCodeOf, reasonIn } from '../files/archiveFault.ts'
import type { Replica } from '../replica/replica.ts'
import type { Archive } from '../store/archive.ts'
import { copyRestorer, notTheFile, readingOf, refused } from '../store/restoreCopy.ts'
import type { Problem } from '../store/storeMachine.ts'
import { askChecksum } from '../store/upload.ts'
import type { CopyReader } from './copyEvidence.ts'
import type { RepairStatements } from './repair.sql.ts'
import { copyMessage } from './repairConditions.ts'
import { withSourceFile } from '../replica/sourceFile.ts'

/** A repair whose conditions are met. */
export interface Course {
  file: FileRow
  target: Replica
  source: Replica
  who: string
  signal: AbortSignal
  /** Reports a condition to the listeners. `why`: the reason of a failure, where it is more exact than the condition's own text. */
  decide(condition: RepairCondition['condition'], state: 'met' | 'failed', why?: Why): void
}

/** Reason why a condition failed, with a fault code where there was a fault. */
export type Why = Pick<Problem, 'message'> & Partial<Problem>

export interface GoodCopyParts {
  archive: Archive
  store: Store
  world: World
  statements: RepairStatements
  reader: CopyReader
}

/** Creates the functions for the last steps. Both reject with the signal's reason when stopped. */
export function goodCopyWriter({ archive, store, world, statements, reader }: GoodCopyParts) {
  const { clock } = world
  const recordObservation = observationRecorder(store, clock)
  const restoreCopy = copyRestorer(store, clock)

  /** Writes the good copy. Returns the reason of a failure; undefined when it was written and read back. */
  async function write(course: Course): Promise<Problem | undefined> {
    const { file, target, decide } = course
    const blocker = await (reader.isStored(file, target) ? restoreStored(course) : storeNew(course))
    const isRight = blocker === undefined && reader.isStored(file, target)
    const problem = isRight ? undefined : (blocker ?? refused(message('store.notCounted')))
    decide('restored', isRight ? 'met' : 'failed', problem)
    if (isRight) statements.noteReplaced.run({ file: file.id, replica: target.name, nowMs: clock.now() })
    return problem
  }

  /** Restores a stored copy, in turn with stores of the file, which may be writing the same copy. */
  async function restoreStored(course: Course): Promise<Problem | undefined> {
    const { file, target, who, signal } = course
    return archive.inTurn(file.name, () =>
      fromSource(course, (source) =>
        restoreCopy({ replica: target, file, signal, source, who, onProgress: () => undefined }),
      ),
    )
  }

  /** Runs `act` with the path of the good copy. A fault of the fetch is a problem of the repair. */
  async function fromSource(
    course: Course,
    act: (path: string) => Promise<Problem | undefined>,
  ): Promise<Problem | undefined> {
    try {
      const { name } = course.file
      return await withSourceFile({ archive, world }, { ...course, name, object: name }, act)
    } catch (error) {
      if (error instanceof DiskFault) return { code: faultCodeOf[error.code], message: reasonIn(error) }
      if (!(error instanceof ArchiveFault)) throw error
      return { code: error.code, message: reasonIn(error) }
    }
  }

  /** Completes a copy that was never stored, by an ordinary store, which records its own steps. The result is read again in any case. */
  async function storeNew(course: Course): Promise<Problem | undefined> {
    const { file, target, who, signal } = course
    const blocker = await storeBlocker(course)
    const reply = await askChecksum({ replica: target, file, signal, onProgress: () => undefined })
    recordObservation({ file, replica: target.name, reading: readingOf(reply), who })
    if (reply.kind === 'found' && reply.sha256 === file.sha256) return undefined
    return blocker ?? notTheFile
  }

  function storeBlocker(course: Course): Promise<Problem | undefined> {
    const { file, target, signal } = course
    const { name, kind, jobId } = file
    return fromSource(course, async (path) => {
      const outcome = await archive.store({ path, name, kind, jobId }, { signal })
      const problems = outcome.state === 'failed' ? outcome.problems : []
      const ofTarget = problems.find(({ replica }) => replica === target.name)
      return ofTarget && { code: ofTarget.code, message: ofTarget.problem }
    })
  }

  /** Reads the source again after the repair. Returns a warning when it is no longer good; otherwise undefined. */
  async function doubtOfSource({ file, source, who, signal, decide }: Course): Promise<Message | undefined> {
    const after = await reader.read(file, source, who, signal)
    const isGood = after.kind === 'checksum' && after.sha256 === file.sha256
    const doubt = isGood ? undefined : message('repair.sourceBad', { copy: copyMessage(source.name, after) })
    decide('goodAfter', isGood ? 'met' : 'failed', doubt && { message: doubt })
    return doubt
  }

  return { write, doubtOfSource }
}
