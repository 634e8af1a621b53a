import { expect, test } from 'vitest'
import { StorageFault } from '../../storage/storage.ts'
import { message, type Message } from '../../contract/words/message.ts'
import { DiskFault } from '../../world/world.ts'
import { seededWorld } from '../../world/testing/seeded.ts'
import type { FetchOutcome } from '../capture/fetch/outcome.ts'
import { defaultCrawlSettings } from '../model/limits.ts'
import { noOriginals } from '../capture/originals/originals.ts'
import { guardedResult } from './guardedResult.ts'
import type { TurnContext } from './turn.ts'

const outcome: FetchOutcome = { kind: 'failed', reason: 'badAddress', detail: '', startedMs: 5, durationMs: 2 }
const world = seededWorld({ seed: 1 })

/** Makes the result of a document while a part of the run throws the error. */
async function resultWith(error: Error, role: 'page' | 'robots' = 'page') {
  const logged: Message[] = []
  const context = {
    fetching: { world, settings: defaultCrawlSettings },
    failingOf: () => {
      throw error
    },
    log: (_level: string, line: Message) => logged.push(line),
  } as unknown as TurnContext
  const document = { id: 1, url: 'http://a.test/', role, hopPath: '', hops: 0, viaId: null, viaUrl: null, attempts: 1 }
  const result = await world.run(guardedResult({ document, host: 1 }, outcome, context))
  return { result, logged }
}

test('a bug in the processing of a document fails this document only, and is logged', async () => {
  const { result, logged } = await resultWith(new TypeError('no such field'))
  expect(result).toMatchObject({ kind: 'ended', outcome: 'failed', reason: 'internal', detail: 'no such field' })
  expect(result.robots).toBeUndefined()
  expect(result.attempts).toHaveLength(1)
  expect(logged).toMatchObject([{ code: 'jobLog.bug', values: { url: 'http://a.test/', problem: 'no such field' } }])
})

test('a bug in the processing of robots.txt counts as robots.txt being unreachable', async () => {
  const { result } = await resultWith(new TypeError('no such field'), 'robots')
  expect(result.robots).toEqual({ state: 'UNREACHABLE', text: 'internal' })
})

test.each([
  ['disk', new DiskFault('full', '/job/x.body')],
  ['database', new StorageFault('full', message('database.full', { path: 'loupe.db' }))],
])('a fault of the %s ends the job', async (_, fault) => {
  await expect(resultWith(fault)).rejects.toBe(fault)
})

test('a fault of the thread that makes links and records fails this document, and leaves no rejection unhandled', async () => {
  const ended = new Error('a worker thread ended')
  const answered = {
    ...{ kind: 'answered', head: { status: 200, fields: [], bytes: 0 }, truncated: undefined },
    ...{ startedMs: 5, durationMs: 2, response: { bytes: 0, discard: async () => undefined } },
  } as unknown as FetchOutcome
  const context = {
    ...{
      fetching: { world, settings: defaultCrawlSettings },
      definition: {},
      failingOf: () => null,
      log: () => undefined,
    },
    ...{ inheritance: { of: () => [] }, originals: noOriginals },
    output: { prepare: () => Promise.reject(ended) },
    repository: { outlinksOf: () => Promise.reject(ended) },
  } as unknown as TurnContext
  const document = { id: 1, url: 'http://a.test/', role: 'page', hopPath: '', hops: 0, viaId: null, viaUrl: null, attempts: 1 } as const // prettier-ignore
  const result = await world.run(guardedResult({ document, host: 1 }, answered, context))
  expect(result).toMatchObject({ kind: 'ended', outcome: 'failed', reason: 'internal', detail: ended.message })
})
