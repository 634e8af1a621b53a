/** Handles copies that were stored and are now missing or damaged when the same file is stored again: restores missing copies from the
 *  new bytes where the caller asks for it, and reports the others. Damaged copies are left to repair and are never overwritten here. */
import { message } from '../../contract/words/message.ts'
import { isBadCopy, isGoodCopy } from '../../contract/states/copyStates.ts'
import type { FileRow } from '../copies/archive.sql.ts'
import { repairActions } from '../copies/repairActions.ts'
import { copyRestorer } from './restoreCopy.ts'
import type { Problem } from './storeMachine.ts'
import type { FileToStore, StoringParts, UploadProblem, Watching } from './storingParts.ts'
import type { InTurn } from './turns.ts'
import type { UploadRecords } from './uploadRecords.ts'

interface LostCopiesParts extends Pick<StoringParts, 'store' | 'world' | 'replicas' | 'onChange'> {
  records: UploadRecords
  inTurn: InTurn
}

/** Creates the functions for lost copies. */
export function lostCopiesOf({ store, world, replicas, onChange, records, inTurn }: LostCopiesParts) {
  const { copiesOf } = records
  const restoreCopy = copyRestorer(store, world.clock)
  const noteRepair = repairActions(store)
  const replicaNames = replicas.map(({ name }) => name)

  /** Copies that were stored and were missing or damaged at the last check. The caller may hold the last good bytes, so the text tells
   *  the user whether to keep them. */
  function lostCopies(row: FileRow, blockers: ReadonlyMap<string, Problem>): UploadProblem[] {
    const copies = copiesOf(row).filter(({ replica }) => replicaNames.includes(replica))
    const holders = replicas.filter(({ kind }) => kind === 'files').map(({ name }) => name)
    const hasGood = copies.some((copy) => holders.includes(copy.replica) && isGoodCopy(copy))
    return copies.filter(isBadCopy).map(({ replica, preservation }) => {
      const blocker = blockers.get(replica)
      const advice = blocker
        ? message('store.lost.notRestored', { reason: blocker.message })
        : message(hasGood ? 'store.lost.repair' : keepAdvice[preservation === 'MISSING' ? 'missing' : 'damaged'])
      const problem =
        preservation === 'MISSING'
          ? message('store.lost.missing', { advice })
          : message('store.lost.damaged', { advice })
      return { replica, code: blocker?.code ?? 'refused', problem }
    })
  }

  /** Writes the file to every replica whose stored copy is missing. Returns the reasons for failures, by replica. */
  async function restoreMissing(row: FileRow, { path }: FileToStore, watching: Watching): Promise<[string, Problem][]> {
    const { signal, onProgress } = watching
    const blockers: [string, Problem][] = []
    for (const replica of replicas) {
      const isMissing = () =>
        copiesOf(row).some(({ replica: name, preservation }) => name === replica.name && preservation === 'MISSING')
      await inTurn(row.name, async () => {
        signal.throwIfAborted()
        // Another action may have restored the copy while this one waited for its turn.
        if (!isMissing()) return
        const blocker = await restoreCopy({ replica, file: row, signal, onProgress, source: path, who: 'upload' })
        if (blocker === undefined) noteRestoredCopy(row, replica.name)
        else if (isMissing()) blockers.push([replica.name, blocker])
      })
    }
    return blockers
  }

  function noteRestoredCopy({ name: subject, sha256 }: FileRow, replica: string): void {
    const result = message('repair.uploaded', { name: subject, replica })
    const became = { replica, kind: 'restore', source: 'upload', attic: null, message: result, sha256 }
    const was = { replica, sha256: null, seen: 'absent' }
    const action = {
      who: 'upload',
      what: 'repair',
      subject,
      was,
      became,
      replica,
      by: 'user',
      isRight: true,
    } as const
    noteRepair(action, world.clock.now())
    onChange()
  }

  return { lostCopies, restoreMissing }
}

/** Advice where no replica has a good copy, by the state of the lost one. */
const keepAdvice = { missing: 'store.lost.keepFile', damaged: 'store.lost.keepBoth' } as const
