import { expect, test } from 'vitest'
import { sharedFile } from './sharedFile.ts'

function opened() {
  const closed: string[] = []
  return { closed, file: { close: async () => void closed.push('closed') } }
}

test('the last holder closes the file, and each holder counts once', async () => {
  const made = opened()
  const { hold } = sharedFile(Promise.resolve(made))
  const [first, second] = [hold(), hold()]
  await first()
  await first()
  expect(made.closed).toEqual([])
  await Promise.all([second(), second()])
  expect(made.closed).toEqual(['closed'])
})

test('there is nothing to close if no replica provides the file or opening fails', async () => {
  await sharedFile(Promise.resolve(undefined)).hold()()
  const failed = sharedFile(Promise.reject(new Error('the disk failed')))
  await failed.hold()()
  await expect(failed.opened).rejects.toThrow('the disk failed')
})
