/** Budgets as a person writes or pastes them: a line each, `domain objects bytes`; `-` for what is not bounded. */
import { Fault } from './faults.ts'
import type { Budget } from './live.ts'

/** Throws `Fault` badInput, with the line that cannot be read. */
export function budgetsFrom(text: string): Budget[] {
  return text.split(/\r?\n/).flatMap((line, at) => {
    const words = line.trim().split(/[\s,;]+/)
    if (words[0] === '') return []
    const [domain = '', objects, bytes, ...more] = words
    if (objects === undefined || more.length > 0) throw wrong(line, at)
    return [
      { domain: domain.toLowerCase(), objects: amountOf(objects, line, at), bytes: amountOf(bytes ?? '-', line, at) },
    ]
  })
}

function amountOf(word: string, line: string, at: number): number | null {
  if (word === '-') return null
  if (!/^\d{1,15}$/.test(word)) throw wrong(line, at)
  return Number(word)
}

function wrong(line: string, at: number): Fault {
  const hint = 'it looks like "example.org 500 20000000", with - for what is not bounded'
  return new Fault('badInput', `Line ${at + 1}, "${line.trim()}": ${hint}.`)
}
