/** Records the results of a check, item by item, each in one transaction: the item, the state of the copy, the counts of the check and of
 *  the replica's event, and new findings in the audit log. */
import { storedMessage } from '../../contract/words/message.ts'
import type { Store } from '../../storage/storage.ts'
import type { Clock } from '../../world/world.ts'
import { copyRecorder } from '../copies/recordObservation.ts'
import { replicaEvents, type Looking } from '../copies/replicaEvents.ts'
import type { Seen } from '../copies/verdict.ts'
import type { CheckActions } from './checkActions.ts'
import type { CheckRow, ItemRow, PreservationStatements } from './preservation.sql.ts'

/** Item of a file that was stored in the replica when the check began. */
export type CopyItem = ItemRow & { copyId: number }

/** Result of checking one copy. */
export interface CheckedCopy {
  item: CopyItem
  seen: Seen
  /** Bytes read to compute the checksum; 0 when none were read. */
  bytesRead: number
  /** Milliseconds of checking since the previous count. */
  runningMs: number
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
    copy(check: CheckRow, { item, seen, bytesRead, runningMs }: CheckedCopy): void {
      const nowMs = clock.now()
      store.transaction(() => {
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
        statements.count.run({ check: check.id, files: 1, bytes: bytesRead, findings, runningMs })
        events.count(lookingAt(check, item.replica), { files: 1, findings }, nowMs)
      })
    },
    /** Settles the item of a file that was not stored in the replica when the check began. A file stored meanwhile was read back by its
     *  store. */
    notStored(check: CheckRow, { id, replica, name }: ItemRow, runningMs: number): void {
      const nowMs = clock.now()
      const finding = statements.storedIn.get({ replica, name }) ? null : 'notStored'
      const findings = finding === null ? 0 : 1
      store.transaction(() => {
        const isNews = finding && !statements.wasFound.get({ check: check.id, replica, name, finding })
        statements.settleItem.run({ id, nowMs, finding, expected: null, found: null })
        statements.count.run({ check: check.id, files: 1, bytes: 0, findings, runningMs })
        events.count(lookingAt(check, replica), { files: 1, findings }, nowMs)
        if (isNews) actions.found(check, { replica, name, finding }, nowMs)
      })
    },
    /** Records those of the names that are not in the catalogue. */
    surplus(check: CheckRow, replica: string, names: readonly string[]): void {
      store.transaction(() => {
        for (const name of names) noteIfSurplus(check, replica, name)
      })
    },
  }

  function noteIfSurplus(check: CheckRow, replica: string, name: string): void {
    if (statements.isCatalogued.get({ name })) return
    const nowMs = clock.now()
    const finding = 'surplus'
    const findings = statements.addSurplus.run({ check: check.id, replica, name, nowMs })
    statements.count.run({ check: check.id, files: 0, bytes: 0, findings, runningMs: 0 })
    events.count(lookingAt(check, replica), { files: 0, findings }, nowMs)
    const isNews = !statements.wasFound.get({ check: check.id, replica, name, finding })
    if (findings > 0 && isNews) actions.found(check, { replica, name, finding }, nowMs)
  }
}

export type ItemSettling = ReturnType<typeof itemSettling>

function lookingAt({ kind, id }: CheckRow, replica: string): Looking {
  return { replica, kind, number: id }
}
