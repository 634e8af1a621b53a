/** A list that is asked for as a whole and whose rows are told one by one while they change. Answers and events come on ways
 *  of their own: what was told after a question was asked is newer than its answer, and an answer may be overtaken by that
 *  to a later question. */
import { valueOf, type Loaded } from './loaded.ts'

export interface LiveRows<Row> {
  /** To be called when the list is asked for, and what it gives with the answer: the rows to show, or undefined when the
   *  answer to a later question is shown already. */
  ask(): (answer: Loaded<Row[]>) => Loaded<Row[]> | undefined
  /** The rows with one as it was told. As long as the others are not known it is no list: the answer is going to have it. */
  tell(known: Loaded<Row[]>, row: Row): Loaded<Row[]>
  /** To be called when something is ordered that is answered with a row, and what it gives with that: short work is told to
   *  have ended before the answer says that it has begun. */
  order(): (known: Loaded<Row[]>, row: Row) => Loaded<Row[]>
}

/** `numberOf`: by which a row is known; the newest has the highest, and comes first. */
export function liveRows<Row>(numberOf: (row: Row) => number): LiveRows<Row> {
  let asked = 0
  let answered = 0
  /** What was told while an answer was on its way, with how many questions had been asked by then. */
  const told = new Map<number, { row: Row; asked: number }>()
  let events = 0
  /** Of each row, how many events there had been when it was last told. */
  const lastTold = new Map<number, number>()

  function withRows(rows: readonly Row[], changed: readonly Row[]): Row[] {
    const numbers = new Set(changed.map(numberOf))
    return [...rows.filter((row) => !numbers.has(numberOf(row))), ...changed].toSorted(
      (one, other) => numberOf(other) - numberOf(one),
    )
  }

  function tell(known: Loaded<Row[]>, row: Row): Loaded<Row[]> {
    events += 1
    lastTold.set(numberOf(row), events)
    if (asked > answered) told.set(numberOf(row), { row, asked })
    const rows = valueOf(known)
    return rows ? { is: 'ready', value: withRows(rows, [row]) } : known
  }

  return {
    tell,
    ask() {
      asked += 1
      const question = asked
      return (answer) => {
        if (question < answered) return undefined
        answered = question
        const newer = [...told.values()].filter((one) => one.asked >= question).map(({ row }) => row)
        for (const [number, one] of told) if (one.asked <= question) told.delete(number)
        return answer.is === 'ready' ? { is: 'ready', value: withRows(answer.value, newer) } : answer
      }
    },
    order() {
      const before = events
      return (known, row) => ((lastTold.get(numberOf(row)) ?? 0) > before ? known : tell(known, row))
    },
  }
}
