/** What to do next about what was found of copies, and the names of states. With --json the machine's own words stay. */
import { message } from '../../../contract/words/message.ts'
import { textOf } from '../../../contract/words/render.ts'

/** The next step for each kind of thing that is wrong. */
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

/** As the screens say it; a state of another Loupe stays as it is. */
export function badgeOf(table: { rows: Readonly<Record<string, { badge: string }>> }, state: string): string {
  return table.rows[state]?.badge.toLowerCase() ?? state
}
