/** Budgets in text form: one line each, `domain objects bytes`, with `-` for unbounded. Bytes take units, as in `20MB`. */
import { bytesIn } from '../text/amounts.ts'
import { Fault } from '../calls/faults.ts'
import type { Budget } from './live.ts'
import { message } from '../words/message.ts'

/** Parses budgets. Throws `Fault` badInput, with the line that cannot be read. */
export function budgetsFrom(text: string): Budget[] {
  return text.split(/\r?\n/).flatMap((line, at) => {
    const words = line.trim().split(/[\s,;]+/)
    if (words[0] === '') return []
    const [domain = '', objects, bytes, ...more] = words
    if (objects === undefined || more.length > 0) throw wrong(line, at)
    return [
      {
        domain: domain.toLowerCase(),
        objects: boundOf(objects, (word) => (/^\d{1,15}$/.test(word) ? Number(word) : undefined)),
        bytes: boundOf(bytes ?? '-', bytesIn),
      },
    ]

    function boundOf(word: string, amountOf: (word: string) => number | undefined): number | null {
      const amount = word === '-' ? null : amountOf(word)
      if (amount === undefined) throw wrong(line, at)
      return amount
    }
  })
}

function wrong(line: string, at: number): Fault {
  return new Fault('badInput', message('budget.line', { line: at + 1, text: line.trim() }))
}
