import { expect, test } from 'vitest'
import { keptOpen } from './keptOpen.ts'

/** An archive that notes which files are open. */
function archive(fails: readonly string[] = []) {
  const open: string[] = []
  const opened: string[] = []
  return {
    ...{ open, opened },
    async openFile(name: string) {
      if (fails.includes(name)) throw new Error(`${name} fails`)
      if (name === 'absent') return undefined
      opened.push(name)
      open.push(name)
      const close = async () => void open.splice(open.indexOf(name), 1)
      return { replica: 'ONE', bytes: 1, file: { read: async () => 0, bytes: async () => 1, close } }
    },
  }
}

const many = Array.from({ length: 8 }, (_, at) => `other-${at}`)

test('a file is opened once for many callers, and closed when others took its place and no caller has it', async () => {
  const made = archive()
  const kept = keptOpen(made)
  const first = await kept.openFile('a')
  const second = await kept.openFile('a')
  await second?.file.close()
  for (const name of many) await (await kept.openFile(name))?.file.close()
  expect(made.open).toContain('a')
  await first?.file.close()
  expect(made.open.toSorted()).toEqual(many)
  await (await kept.openFile('a'))?.file.close()
  expect(made.opened.filter((name) => name === 'a')).toHaveLength(2)
  await kept.close()
  expect(made.open).toEqual([])
})

test('a caller that still has a file when everything is closed reads on, and the file is closed with it', async () => {
  const made = archive()
  const kept = keptOpen(made)
  const opened = await kept.openFile('a')
  await kept.close()
  expect(made.open).toEqual(['a'])
  await opened?.file.close()
  expect(made.open).toEqual([])
})

test('a file that is absent or cannot be opened is tried again', async () => {
  const fails = ['b']
  const kept = keptOpen(archive(fails))
  expect(await kept.openFile('absent')).toBeUndefined()
  await expect(kept.openFile('b')).rejects.toThrow('b fails')
  fails.pop()
  expect(await kept.openFile('b')).toMatchObject({ replica: 'ONE' })
})
