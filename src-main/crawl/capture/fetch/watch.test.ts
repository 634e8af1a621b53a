import { expect, test } from 'vitest'
import type { Connection, World } from '../../../world/world.ts'
import { watchOf, type Watched } from './watch.ts'

/** A clock whose sleeps last as long as requested, or longer, as on a busy machine. */
function trial(oversleptMs: readonly number[]) {
  let nowMs = 0
  let sleeps = 0
  const slept: (() => void)[] = []
  const clock = {
    elapsed: () => nowMs,
    sleep: (durationMs: number) =>
      new Promise<void>((resolve) => {
        slept.push(() => {
          nowMs += durationMs + (oversleptMs[sleeps] ?? 0)
          sleeps += 1
          resolve()
        })
      }),
  }
  let isClosed = false
  const connection = { close: () => (isClosed = true) } as unknown as Connection
  const watch = watchOf({ clock } as unknown as World, new AbortController().signal)
  return {
    begin: (bounds: { silenceMsMax: number; responseMsMax: number }) => watch.over(connection, bounds),
    async sweep(): Promise<void> {
      slept.shift()?.()
      await Promise.resolve()
      await Promise.resolve()
    },
    now: () => nowMs,
    isClosed: () => isClosed,
  }
}

const bounds = { silenceMsMax: 1_000, responseMsMax: 3_000 }

async function endOf(made: ReturnType<typeof trial>, watched: Watched, isTouched: boolean): Promise<number> {
  for (let sweeps = 0; watched.ended === undefined && sweeps < 100; sweeps += 1) {
    if (isTouched) watched.touch()
    await made.sweep()
  }
  expect(made.isClosed()).toBe(true)
  return made.now()
}

test('a silent connection is closed after the time limit for silence', async () => {
  const made = trial([])
  const watched = made.begin(bounds)
  expect(await endOf(made, watched, false)).toBe(1_200)
  expect(watched.ended).toBe('silence')
})

test('an answer that never ends is closed after the time limit for a response', async () => {
  const made = trial([])
  const watched = made.begin(bounds)
  expect(await endOf(made, watched, true)).toBe(3_200)
  expect(watched.ended).toBe('time')
})

test.each([
  ['one long pause', [5_000]],
  ['repeated pauses', [700, 700, 700]],
])('while we stand still ourselves, %s, no time of the server passes', async (_, oversleptMs) => {
  const totalMs = oversleptMs.reduce((sum, each) => sum + each, 0)
  const silent = trial(oversleptMs)
  expect(await endOf(silent, silent.begin(bounds), false)).toBe(1_200 + totalMs)
  const endless = trial(oversleptMs)
  expect(await endOf(endless, endless.begin(bounds), true)).toBe(3_200 + totalMs)
})
