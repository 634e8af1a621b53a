/** Typed and piped secrets, and their echo. */
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { withAnswers } from './secretInput.ts'

const ask = async (input: Readable, terminal: boolean) => {
  let shown = ''
  let isRaw = false
  const end = Object.assign(input, { isTTY: terminal, setRawMode: (raw: boolean) => void (isRaw = raw) })
  const answers = await withAnswers({ input: end, print: (text) => (shown += text) }, async (asked) => [
    await asked({ prompt: 'Name', isShown: true }),
    await asked({ prompt: 'Password', isShown: false }),
  ]).catch((error: unknown) => error)
  return { answers, shown, isRaw }
}

test.each<[what: string, keys: string[], terminal: boolean, answers: unknown, shown: string]>([
  ['lines of a pipe', ['ja', 'ne\nse', 'cret\n'], false, ['jane', 'secret'], ''],
  ['lines of a pipe of Windows', ['jane\r\nse cret'], false, ['jane', 'se cret'], ''],
  [
    'typed: the password is not shown',
    ['jane\r', 'se', 'cret\r'],
    true,
    ['jane', 'secret'],
    'Name: jane\nPassword: \n',
  ],
  ['mended while typing', ['jx\u007fane\rsé\u007fecret\r'], true, ['jane', 'secret'], 'Name: jx\b \bane\nPassword: \n'],
])('%s', async (_what, keys, terminal, answers, shown) => {
  expect(await ask(Readable.from(keys.map((key) => Buffer.from(key))), terminal)).toEqual({
    answers,
    shown,
    isRaw: false,
  })
})

test.each([
  ['Ctrl-C', ['ja\u0003'], true, 'stopped'],
  ['an end', ['ja'], true, 'stopped'],
  ['nothing for the password', ['jane\n'], false, 'badInput'],
])('%s is a refusal, and the terminal is as before', async (_what, keys, terminal, code) => {
  const { answers, isRaw } = await ask(Readable.from(keys.map((key) => Buffer.from(key))), terminal)
  expect(answers).toMatchObject({ code })
  expect(isRaw).toBe(false)
})
