/** Records the results of a check, item by item, each in one transaction: the item, the state of the copy, the counts of the check and of
 *  the replica's event, and new findings in the audit log. */
import { storedMessage } from '../../contract/words/message.ts'
import type { Store } from '../../storage/storage.ts'
import type { Clock } from '../../world/world.ts'
import { copyRecorder } from '../copies/recordObservation.ts'
import { replicaEvents, type Looking } from '../copies/replicaEvents.ts'
import type { Seen } from '../copies/verdict.ts'
import type { CheckActions } from './checkActions.ts'
import type { ItemRow, PreservationStatements } from './preservation.sql.ts'
import type { RunningCheck } from './runningCheck.ts'

/** Item of a file that was stored in the replica when the check began. */
export type CopyItem = ItemRow & { copyId: number }

/** Result of checking one copy. */
export interface CheckedCopy {
  item: CopyItem
  seen: Seen
  /** Bytes read to compute the checksum; 0 when none were read. */
  bytesRead: number
}

interface SettlingParts {
  store: Store
  clock: Clock
  statements: PreservationStatements
  actions: CheckActions
}

/** Creates the functions that settle items. Each runs in its own transaction, so a check continues after a crash without repeating items. */
export function itemSettling({ store, clock, statements, actions }: SettlingParts) {
  const recordCopy = copyRecorder(store)
  const events = replicaEvents(store)

  return {
    copy(check: RunningCheck, { item, seen, bytesRead }: CheckedCopy): void {
      const nowMs = clock.now()
      check.record(() => {
        const { was, became, problem } = recordCopy({ copy: item.copyId, file: item, seen }, nowMs)
        statements.settleItem.run({
          id: item.id,
          nowMs,
          finding: problem?.finding ?? null,
          expected: problem ? storedMessage(problem.expected) : null,
          found: problem?.found ? storedMessage(problem.found) : null,
        })
        if (became !== undefined) actions.moved(check, { ...item, was, became, problem }, nowMs)
        const findings = problem ? 1 : 0
        events.count(lookingAt(check, item.replica), { files: 1, findings }, nowMs)
        return { filesDone: 1, bytesDone: bytesRead, findings }
      })
    },
    /** Settles the item of a file that was not stored in the replica when the check began. A file stored meanwhile was read back by its
     *  store. */
    notStored(check: RunningCheck, { id, replica, name }: ItemRow): void {
      const nowMs = clock.now()
      const finding = statements.storedIn.get({ replica, name }) ? null : 'notStored'
      const findings = finding === null ? 0 : 1
      check.record(() => {
        const isNews = finding && !statements.wasFound.get({ check: check.id, replica, name, finding })
        statements.settleItem.run({ id, nowMs, finding, expected: null, found: null })
        events.count(lookingAt(check, replica), { files: 1, findings }, nowMs)
        if (isNews) actions.found(check, { replica, name, finding }, nowMs)
        return { filesDone: 1, findings }
      })
    },
    /** Records those of the names that are not in the catalogue. */
    surplus(check: RunningCheck, replica: string, names: readonly string[]): void {
      check.record(() => ({ findings: names.filter((name) => isNotedAsSurplus(check, replica, name)).length }))
    },
  }

  /** Records a name that is not in the catalogue. False for others, and when the check has it already. */
  function isNotedAsSurplus(check: RunningCheck, replica: string, name: string): boolean {
    if (statements.isCatalogued.get({ name })) return false
    const nowMs = clock.now()
    const finding = 'surplus'
    if (statements.addSurplus.run({ check: check.id, replica, name, nowMs }) === 0) return false
    events.count(lookingAt(check, replica), { files: 0, findings: 1 }, nowMs)
    const isNews = !statements.wasFound.get({ check: check.id, replica, name, finding })
    if (isNews) actions.found(check, { replica, name, finding }, nowMs)
    return true
  }
}

export type ItemSettling = ReturnType<typeof itemSettling>

function lookingAt({ kind, id }: RunningCheck, replica: string): Looking {
  return { replica, kind, number: id }
}
