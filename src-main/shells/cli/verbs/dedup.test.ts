import { expect, test } from 'vitest'
import { Fault } from '../../../contract/calls/faults.ts'
import { servicesOver } from '../../../contract/calls/service.ts'
import { contract } from '../../../contract/contract.ts'
import { message } from '../../../contract/words/message.ts'
import type { Command } from '../session/command.ts'
import { references, report, verify } from './dedup.ts'
import { buildIndex } from './indexes.ts'

const missing = { name: 'lost.warc.gz', reason: message('dedup.unresolved.unreadable') }
const lost = 'lost.warc.gz is not included: Its record cannot be read.'

/** Runs a verb; `answer` is what the engine answers. */
async function run(
  verb: (command: Command) => Promise<unknown>,
  answer: (name: string, input: unknown) => unknown,
  signal = new AbortController().signal,
) {
  const notes: string[] = []
  const results: { value: unknown; text: string }[] = []
  const services = servicesOver(contract, {
    call: async (name, input) => answer(name, input),
    listen: () => () => undefined,
  })
  const code = await verb({
    ...{ archiveFolder: '', version: '0.0.0', debug: false, signal },
    ...{ onBug: () => undefined, onNotice: () => undefined },
    output: {
      ...{ json: false, part: async () => undefined, failure: () => undefined, progress: () => undefined },
      result: (value, text) => void results.push({ value, text: text() }),
      paint: (_colour, text) => text,
      note: (text) => void notes.push(text),
    },
    withSession: (_how, act) => act({ services, own: false, close: async () => undefined }),
  })
  return { code, notes, results }
}

test('references are read page by page until there are no more', async () => {
  const all = Array.from({ length: 2_500 }, (_, at) => ({
    ...{ file: `${at}.warc.gz`, fileJob: 1, job: 2, captures: 1, bytes: 10, onlyHere: 1 },
  }))
  const asked: unknown[] = []
  const { code, notes, results } = await run(
    (command) => references(command, { contentOf: 1 }),
    (_name, input) => {
      asked.push(input)
      const { offset, limit } = input as { offset: number; limit: number }
      return { rows: all.slice(offset, offset + limit), total: all.length, filesMissing: [missing] }
    },
  )
  expect(asked).toEqual([0, 1_000, 2_000].map((offset) => ({ fileJob: 1, limit: 1_000, offset })))
  expect(results.map(({ value }) => value)).toEqual([{ rows: all, total: all.length, filesMissing: [missing] }])
  expect(results[0]?.text.split('\n')).toHaveLength(1 + all.length)
  expect([code, notes]).toEqual([1, [lost]])
})

test.each([
  ['nothing', 0, [], 0],
  ['a file', 0, [missing], 1],
  ['a capture', 1, [], 1],
  ['a capture and a file', 1, [missing], 1],
])(
  'verify names the files that it could not read, and ends with 1 if it lacks %s',
  async (_, total, filesMissing, ends) => {
    const answer = { resolved: 3, unresolved: { rows: [], total }, filesMissing }
    const { code, notes } = await run(
      (command) => verify(command, {}),
      () => answer,
    )
    expect([code, notes]).toEqual([ends, filesMissing.map(() => lost)])
  },
)

test.each<[string, (command: Command) => Promise<unknown>]>([
  ['report', (command) => report(command, {})],
  ['references', (command) => references(command, {})],
  ['verify', (command) => verify(command, {})],
  ['build', (command) => buildIndex(command, { jobs: [1], files: [], all: false })],
])('%s ends at Ctrl-C, without its answer', async (_, verb) => {
  const stop = new AbortController()
  const never = () => {
    stop.abort()
    return new Promise(() => undefined)
  }
  const fault: unknown = await run(verb, never, stop.signal).catch((error: unknown) => error)
  expect(fault).toBeInstanceOf(Fault)
  expect(fault).toMatchObject({ code: 'stopped' })
})
