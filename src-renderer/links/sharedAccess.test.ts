import { expect, test } from 'vitest'
import { askForAccess, shareAccess, type AccessChannel } from './sharedAccess.ts'
import type { HandedOver } from './token.ts'

/** Channels that deliver each message to all others at once. */
function channels(count: number): AccessChannel[] {
  const all: AccessChannel[] = Array.from({ length: count }, () => ({
    onmessage: null,
    postMessage(data: unknown) {
      for (const other of all)
        if (other !== this) other.onmessage?.call(new BroadcastChannel('unused'), new MessageEvent('message', { data }))
    },
  }))
  return all
}

test('a window without access gets it from the first other window that has it, once', () => {
  const [first, second, third] = channels(3) as [AccessChannel, AccessChannel, AccessChannel]
  shareAccess(first, { token: 'abc', isOwnWindow: true, isAccount: false })
  shareAccess(second, { token: 'abc', isOwnWindow: true, isAccount: false })
  const got: HandedOver[] = []
  askForAccess(third, (access) => got.push(access))
  expect(got).toEqual([{ token: 'abc', isOwnWindow: true, isAccount: false }])
})

test('no window gets access without one that has it, and unrelated messages are ignored', () => {
  const [first, second, third] = channels(3) as [AccessChannel, AccessChannel, AccessChannel]
  const got: HandedOver[] = []
  askForAccess(first, (access) => got.push(access))
  askForAccess(second, (access) => got.push(access))
  third.postMessage({ token: 7 })
  expect(got).toEqual([])
})
