/** A list that is loaded as a whole and whose rows are updated by events. Answers and events arrive independently: an event after a request
 *  was sent is newer than its answer, and an answer may arrive after the answer to a later request. */
import { valueOf, type Loaded } from './loaded.ts'

export interface LiveRows<Row> {
  /** Called when the list is requested. The returned function is called with the answer and gives the rows to show, or undefined when the
   *  answer to a later request is shown already. */
  ask(): (answer: Loaded<Row[]>) => Loaded<Row[]> | undefined
  /** The rows with one replaced as an event reports it. Before the list is loaded nothing changes: the answer will contain the row. */
  update(known: Loaded<Row[]>, row: Row): Loaded<Row[]>
  /** Called with a request that is answered with a row. The returned function is called with that row: short work may be reported as
   *  ended before the answer says that it has started. */
  order(): (known: Loaded<Row[]>, row: Row) => Loaded<Row[]>
}

/** `numberOf`: identifies a row. The newest row has the highest number and comes first. */
export function liveRows<Row>(numberOf: (row: Row) => number): LiveRows<Row> {
  let asked = 0
  let answered = 0
  /** Rows reported while an answer was pending, with the number of requests sent by then. */
  const reported = new Map<number, { row: Row; asked: number }>()
  let events = 0
  /** For each row, the number of events when it was last reported. */
  const lastReported = new Map<number, number>()

  function withRows(rows: readonly Row[], changed: readonly Row[]): Row[] {
    const numbers = new Set(changed.map(numberOf))
    return [...rows.filter((row) => !numbers.has(numberOf(row))), ...changed].toSorted(
      (one, other) => numberOf(other) - numberOf(one),
    )
  }

  function update(known: Loaded<Row[]>, row: Row): Loaded<Row[]> {
    events += 1
    lastReported.set(numberOf(row), events)
    if (asked > answered) reported.set(numberOf(row), { row, asked })
    const rows = valueOf(known)
    return rows ? { is: 'ready', value: withRows(rows, [row]) } : known
  }

  return {
    update,
    ask() {
      asked += 1
      const question = asked
      return (answer) => {
        if (question < answered) return undefined
        answered = question
        const newer = [...reported.values()].filter((one) => one.asked >= question).map(({ row }) => row)
        for (const [number, one] of reported) if (one.asked <= question) reported.delete(number)
        return answer.is === 'ready' ? { is: 'ready', value: withRows(answer.value, newer) } : answer
      }
    },
    order() {
      const before = events
      return (known, row) => ((lastReported.get(numberOf(row)) ?? 0) > before ? known : update(known, row))
    },
  }
}
