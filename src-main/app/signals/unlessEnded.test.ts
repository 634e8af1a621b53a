/** Messages to the user when the engine shuts down during an action of the archive. */
import { expect, test } from 'vitest'
import { unlessEnded } from './unlessEnded.ts'
import { message } from '../../contract/words/message.ts'

const stop = new AbortController()
stop.abort()
const open = new AbortController().signal

test.each([
  ['the signal’s own reason', stop.signal, stop.signal.reason as unknown, { code: 'stopped' }],
  ['an abort that came through a thread', stop.signal, new DOMException('aborted', 'AbortError'), { code: 'stopped' }],
  ['something else meanwhile', stop.signal, new Error('a bug'), { message: 'a bug' }],
  ['an abort by someone else', open, new DOMException('aborted', 'AbortError'), { name: 'AbortError' }],
])('%s', async (_, signal, reason, expected) => {
  const act = new Promise<never>((_resolve, reject) => reject(reason))
  await expect(unlessEnded(act, signal, message('call.stopped.unchanged'))).rejects.toMatchObject(expected)
})

test('reports its state', async () => {
  const act = new Promise<never>((_resolve, reject) => reject(stop.signal.reason as Error))
  await expect(unlessEnded(act, stop.signal, message('call.stopped.unchanged'))).rejects.toThrow(
    'It was stopped: nothing was changed.',
  )
})
