import { expect, test } from 'vitest'
import type { Answer } from '../../src-main/contract/services/viewer.ts'
import { answerLog } from './answerLog.ts'

function answer(id: number, viewing = ''): Answer {
  return {
    ...{ id, view: 1, viewing, at: '2026-11-20T12:00:00.000Z', method: 'GET', url: `http://a.test/${id}` },
    ...{ referrer: '', initiator: '', resourceType: 'document', navigation: true, by: 'exactCapture', found: true },
    ...{ status: 200, mediaType: null, bytes: null, captured: null, capturedUrl: null, inexact: [], truncated: null },
    ...{ isAttachment: false, job: null, file: null, offset: null },
  }
}

/** A log over an engine that has these responses, with the `after` of each request for them. */
function logOf(answers: Answer[]) {
  const asked: number[] = []
  const log = answerLog({
    answers: async ({ after = 0 }) => {
      asked.push(after)
      return answers.filter(({ id }) => id > after)
    },
  })
  return { log, asked }
}
const idsOf = (answers: readonly Answer[]) => answers.map(({ id }) => id)

test('responses from before the window was opened are left out, and are looked for once', async () => {
  const { log, asked } = logOf([answer(1), answer(2)])
  await log.begin()
  await log.begin()
  expect(asked).toEqual([0])
  expect(idsOf(await log.unsettled())).toEqual([])
  expect(log.report(answer(2))).toBe(false)
  expect(log.report(answer(3))).toBe(true)
})

test('unsettled responses are those after the last settled one, without those of a separate browser', async () => {
  const { log } = logOf([answer(1), answer(2), answer(3, 'separate'), answer(4)])
  log.settle([answer(1)])
  expect(idsOf(await log.unsettled())).toEqual([2, 4])
})

test('reported responses are taken once, and not after they were settled', () => {
  const { log } = logOf([])
  for (const id of [1, 2, 3]) log.report(answer(id))
  log.settle([answer(1), answer(2)])
  expect(idsOf(log.takeReported())).toEqual([3])
  expect(log.takeReported()).toEqual([])
})

test('settling nothing changes nothing', () => {
  const { log } = logOf([])
  log.report(answer(1))
  log.settle([])
  expect(idsOf(log.takeReported())).toEqual([1])
})
