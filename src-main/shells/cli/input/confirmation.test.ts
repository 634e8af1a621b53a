import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { confirmed } from './confirmation.ts'

async function asked(keys: string, isTerminal: boolean): Promise<{ fault: unknown; shown: string }> {
  let shown = ''
  const input = Object.assign(Readable.from([Buffer.from(keys)]), { isTTY: isTerminal, setRawMode: () => undefined })
  const ends = { input, print: (text: string) => void (shown += text) }
  const fault = await confirmed({ ...ends, question: 'Delete it?', option: '--yes' }).then(
    () => undefined,
    (error: unknown) => error,
  )
  return { fault, shown }
}

test.each(['y\r', 'Y\r', 'yes\r', ' yes \n'])('%j is yes', async (keys) => {
  const { fault, shown } = await asked(keys, true)
  expect([fault, shown.startsWith('Delete it? [y/N]: ')]).toEqual([undefined, true])
})

test.each(['\r', 'n\r', 'yesterday\r', 'q\r'])('%j is no', async (keys) => {
  expect((await asked(keys, true)).fault).toMatchObject({ code: 'stopped', message: 'Nothing was changed.' })
})

test('Ctrl-C means no', async () => {
  expect((await asked('y\u0003', true)).fault).toMatchObject({ code: 'stopped' })
})

test('without a terminal it does not ask, and the refusal names the option for scripts', async () => {
  const { fault, shown } = await asked('y\n', false)
  expect(fault).toMatchObject({ code: 'refused', message: expect.stringContaining('add --yes to confirm') as string })
  expect(shown).toBe('')
})
