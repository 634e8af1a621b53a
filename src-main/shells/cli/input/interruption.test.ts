import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { interruption } from './interruption.ts'

interface Row {
  name: string
  /** Signals with their times. */
  presses: [ms: number, signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP'][]
  said: string[]
}

const rows: Row[] = [
  { name: 'one press', presses: [[1_000, 'SIGINT']], said: ['stop'] },
  { name: 'one press reported twice', presses: [[1_000, 'SIGINT'], [1_040, 'SIGINT']], said: ['stop'] }, // prettier-ignore
  { name: 'two presses', presses: [[1_000, 'SIGINT'], [1_600, 'SIGINT']], said: ['stop', 'end'] }, // prettier-ignore
  { name: 'SIGTERM, then a press', presses: [[1_000, 'SIGTERM'], [9_000, 'SIGINT']], said: ['stop', 'end'] }, // prettier-ignore
  { name: 'the terminal is closed', presses: [[1_000, 'SIGHUP']], said: ['stop'] },
]

test.each(rows)('$name', ({ presses, said }) => {
  const process = new EventEmitter()
  const heard: string[] = []
  let nowMs = 0
  const signal = interruption({
    process,
    nowMs: () => nowMs,
    onFirst: () => heard.push('stop'),
    onSecond: () => heard.push('end'),
  })
  expect(signal.aborted).toBe(false)
  for (const [ms, name] of presses) {
    nowMs = ms
    process.emit(name)
  }
  expect(heard).toEqual(said)
  expect(signal.aborted).toBe(true)
})
