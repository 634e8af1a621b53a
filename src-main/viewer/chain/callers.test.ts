import { sightOfEverything } from '../../access/access.ts'
import { expect, test } from 'vitest'
import { message } from '../../contract/words/message.ts'
import type { Caller } from '../../contract/calls/caller.ts'
import { realWorld } from '../../world/real.ts'
import { openAnswers } from '../viewings/answers.ts'
import type { Findings } from '../viewings/findings.ts'
import { openLastRequests } from '../viewings/lastRequests.ts'
import type { Question } from '../viewings/question.ts'
import { openViewings } from '../viewings/viewings.ts'
import { plainReply, type BrowserRequest } from '../model/reply.ts'
import { operator } from '../testing/viewerFixture.ts'
import { openResolver } from './resolver.ts'

test('each request has the caller that opened its viewing; without credentials, the account of the engine', async () => {
  const world = realWorld()
  const unused = {} as never
  const viewings = openViewings({
    ...{ views: unused, indexes: unused, archive: unused, world, operator },
    ...{ needsCredentials: false, isTaken: () => false, onChange: () => undefined, onProblem: () => undefined },
  })
  const asked: Question[] = []
  const { resolve } = openResolver({
    sightFor: async () => sightOfEverything,
    ...{ viewings, world, findings: {} as Findings, answers: openAnswers(), lastRequests: openLastRequests() },
    async chain(question) {
      asked.push(question)
      return { ...plainReply(200, message('text', { text: '' })), by: 'unknownCommand' }
    },
  })
  const bea: Caller = { account: 'bea', roles: ['viewer'], shell: 'window', address: '192.0.2.7' }
  const { user, password, commandToken } = viewings.open(bea)
  const from = (credentials: BrowserRequest['credentials']): BrowserRequest => ({
    ...{ method: 'GET', url: 'http://site.example/', fields: {}, credentials },
    content: async () => new Uint8Array(0),
    signal: new AbortController().signal,
  })
  await resolve(from(undefined))
  await resolve(from({ user, password }))
  await resolve(from({ user, password: commandToken }))
  expect(asked.map(({ caller }) => caller)).toEqual([operator, bea, bea])
  await viewings.close()
})

test('where others reach the proxy, nobody is answered without credentials', async () => {
  const unused = {} as never
  const viewings = openViewings({
    ...{ views: unused, indexes: unused, archive: unused, world: realWorld(), operator, needsCredentials: true },
    ...{ isTaken: () => false, onChange: () => undefined, onProblem: () => undefined },
  })
  const { user, password } = viewings.open(operator)
  expect(viewings.of(undefined)).toBeUndefined()
  expect(viewings.of({ user, password })?.viewing.user).toBe(user)
  expect(viewings.of({ user: '', password: '' })).toBeUndefined()
  await viewings.close()
})
