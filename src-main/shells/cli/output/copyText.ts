/** Next steps after findings about copies, and the names of states. With --json the machine-readable names stay. */
import { message } from '../../../contract/words/message.ts'
import type { StateTexts } from '../../../contract/states/stateTable.ts'
import { textOf } from '../../../contract/words/render.ts'

/** The next step for each kind of problem. */
export function nextSteps({
  bad,
  surplus,
  notStored,
  waitingTotal = 0,
  unknownTotal = 0,
}: {
  bad: number
  surplus: number
  notStored: string[]
  waitingTotal?: number
  unknownTotal?: number
}): string[] {
  return [
    ...(bad > 0 ? [textOf(message('cli.next.repair'))] : []),
    ...(surplus > 0 ? [textOf(message('cli.next.recover'))] : []),
    ...(unknownTotal > 0 ? [textOf(message('cli.next.recoverUnknown'))] : []),
    ...(waitingTotal > 0 ? [textOf(message('cli.next.waiting'))] : []),
    ...notStored.map((replica) => textOf(message('cli.next.store', { replica }))),
  ]
}

/** The name of a state as the interface shows it. A state that only another version of Loupe knows is returned unchanged. */
export function badgeOf(table: { rows: Readonly<Record<string, StateTexts>> }, state: string): string {
  const row = table.rows[state]
  return row ? textOf(row.badge).toLowerCase() : state
}
