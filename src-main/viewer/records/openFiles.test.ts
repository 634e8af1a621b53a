import { expect, it } from 'vitest'
import { realWorld } from '../../world/real.ts'
import { openFiles } from './openFiles.ts'

/** An archive that counts opened and closed files, and a clock whose sleeps end when the test ends them. */
function counted(hasFile: () => boolean = () => true) {
  const counts = { opened: 0, closed: 0 }
  const wake: (() => void)[] = []
  const file = {
    read: () => Promise.resolve(0),
    bytes: () => Promise.resolve(0),
    close: () => Promise.resolve(void counts.closed++),
  }
  const openFile = async () => (hasFile() ? (counts.opened++, { replica: 'one', file, bytes: 0 }) : undefined)
  const real = realWorld()
  const sleep = (_: number, signal?: AbortSignal) =>
    new Promise<void>((over, stopped) => {
      wake.push(over)
      signal?.addEventListener('abort', () => stopped(signal.reason as Error))
    })
  const files = openFiles({
    archive: { openFile, file: () => undefined },
    clock: { ...real.clock, sleep },
    recordCacheBytesMax: () => 0,
  })
  const timeIsOver = async () => {
    for (const over of wake.splice(0)) over()
    await new Promise((others) => setImmediate(others))
  }
  return { files, counts, timeIsOver }
}

it('opens a file once for concurrent readers, and closes it after the last', async () => {
  const { files, counts, timeIsOver } = counted()
  const [first, second] = await Promise.all([files.borrow('a'), files.borrow('a')])
  await first?.release()
  await first?.release()
  expect(counts).toEqual({ opened: 1, closed: 0 })
  await timeIsOver()
  expect(counts).toEqual({ opened: 1, closed: 0 })
  await second?.release()
  expect(counts).toEqual({ opened: 1, closed: 1 })
  await (await files.borrow('a'))?.release()
  expect(counts.opened).toBe(2)
  await files.close()
  expect(counts.closed).toBe(2)
})

it('does not remember that a file was missing', async () => {
  let isThere = false
  const { files, counts } = counted(() => isThere)
  expect(await files.borrow('a')).toBe(undefined)
  isThere = true
  expect(await files.borrow('a')).toBeDefined()
  expect(counts.opened).toBe(1)
  await files.close()
})

it('does not remember that a file could not be opened', async () => {
  let isBroken = true
  const { files, counts } = counted(() => {
    if (isBroken) throw new Error('the disk failed')
    return true
  })
  await expect(files.borrow('a')).rejects.toThrow('the disk failed')
  isBroken = false
  expect(await files.borrow('a')).toBeDefined()
  expect(counts.opened).toBe(1)
  await files.close()
})

it('keeps no more files open than its limit', async () => {
  const { files, counts } = counted()
  const names = Array.from({ length: 40 }, (_, number) => `file ${number}`)
  for (const name of names) await (await files.borrow(name))?.release()
  expect(counts).toEqual({ opened: 40, closed: 8 })
  await files.close()
  expect(counts.closed).toBe(40)
})
