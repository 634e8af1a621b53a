/** Next steps after findings about copies, and the names of states. With --json the machine-readable names stay. */
import type { StateTexts } from '../../../contract/states/stateTable.ts'
import { message, type Message } from '../../../contract/words/message.ts'
import { textFor, textOf } from '../../../contract/words/render.ts'

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
    ...(bad > 0 ? [textFor('cli.next.repair')] : []),
    ...(surplus > 0 ? [textFor('cli.next.recover')] : []),
    ...(unknownTotal > 0 ? [textFor('cli.next.recoverUnknown')] : []),
    ...(waitingTotal > 0 ? [textFor('cli.next.waiting')] : []),
    ...notStored.map((replica) => textFor('cli.next.store', { replica })),
  ]
}

/** The job that a file belongs to. */
export function originOf({ job }: { job: number | null }): Message {
  return job === null ? message('cli.preserve.ofNoJob') : message('cli.preserve.ofJob', { job })
}

/** The name of a state as the interface shows it. A state that only another version of Loupe knows is returned unchanged. */
export function badgeOf(table: { rows: Readonly<Record<string, StateTexts>> }, state: string): string {
  const row = table.rows[state]
  return row ? textOf(row.badge).toLowerCase() : state
}
