import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { operatorCaller } from '../../contract/calls/caller.ts'
import { event } from '../../contract/calls/service.ts'
import { eventStream } from './eventStream.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const contract = { bell: { rings: event(z.object({})) } } as const
const leastRoles = { bell: { rings: 'viewer' } } as const

/** A stream, and listeners that write down what they get. */
function opened() {
  const listeners = new Set<(payload: Record<string, never>) => void>()
  const services = {
    bell: {
      rings: (onPayload: (payload: Record<string, never>) => void) => {
        listeners.add(onPayload)
        return () => void listeners.delete(onPayload)
      },
    },
  }
  const stream = eventStream({ contract, services, leastRoles })
  const add = (isOpen: () => boolean) => {
    const written: string[] = []
    const response = Object.assign(new EventEmitter(), {
      writableLength: 0,
      writeHead: () => response,
      write: (text: string) => written.push(text),
      end: () => response.emit('close'),
    })
    stream.add(response as unknown as ServerResponse, operatorCaller('ada', 'window'), isOpen)
    return written
  }
  return { stream, add, listeners, ring: () => listeners.forEach((listener) => listener({})) }
}

test('a listener whose session is over is ended at the next heartbeat, and the others stay', async () => {
  const { stream, add, listeners, ring } = opened()
  let isOpen = true
  const [ending, staying] = [add(() => isOpen), add(() => true)]
  await vi.advanceTimersByTimeAsync(15_000)
  expect([ending.at(-1), listeners.size]).toEqual([': alive\n\n', 2])
  isOpen = false
  await vi.advanceTimersByTimeAsync(15_000)
  ring()
  expect(listeners.size).toBe(1)
  expect([ending.length, staying.at(-1)]).toEqual([2, 'event: bell.rings\ndata: {}\n\n'])
  stream.close()
})
