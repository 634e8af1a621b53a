/** Input that is typed without echo, or read from a pipe line by line. */
import { Fault } from '../../../contract/calls/faults.ts'
import { message } from '../../../contract/words/message.ts'

export interface Asking {
  /** Text printed before the answer on a terminal. */
  prompt: string
  isShown: boolean
}

export type Ask = (asking: Asking) => Promise<string>

/** The part of standard input that is used. */
interface Input extends AsyncIterable<string | Buffer> {
  isTTY?: boolean
  setRawMode(isRaw: boolean): unknown
  setEncoding(encoding: 'utf8'): unknown
  destroy(): unknown
}

export interface Ends {
  input: Input
  /** Prints a prompt. */
  print(text: string): void
}

const endOfText = '\u0003'
const endOfTransmission = '\u0004'
const deletes = new Set(['\u0008', '\u007f'])

/**
 * Runs `act` with a function that asks for secrets. Answers come in the order of the questions. Rejects with `Fault`: stopped by Ctrl-C, or
 * nothing was entered.
 */
export async function withAnswers<T>({ input, print }: Ends, act: (ask: Ask) => Promise<T>): Promise<T> {
  if (!input.isTTY) {
    const lines = (await whole(input)).split(/\r?\n/)
    return act(({ prompt }) => {
      const line = lines.shift()
      if (line === undefined || line === '') return Promise.reject(new Fault('badInput', message('cli.noAnswer', { question: prompt }))) // prettier-ignore
      return Promise.resolve(line)
    })
  }
  const keys = keysOf(input)
  input.setRawMode(true)
  try {
    return await act((asking) => answer(asking, keys, print))
  } finally {
    input.setRawMode(false)
    // A terminal that is still being read would keep the process alive.
    input.destroy()
  }
}

async function whole(input: Input): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of input) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString('utf8')
}

async function* keysOf(input: Input): AsyncGenerator<string, undefined> {
  input.setEncoding('utf8')
  for await (const chunk of input) yield* String(chunk)
  return undefined
}

async function answer(
  { prompt, isShown }: Asking,
  keys: AsyncGenerator<string, undefined>,
  print: Ends['print'],
): Promise<string> {
  print(`${prompt}: `)
  let text = ''
  for (;;) {
    const { value: key } = await keys.next()
    if (key === undefined || key === endOfText || key === endOfTransmission)
      throw new Fault('stopped', message('cli.stopped'))
    if (key === '\r' || key === '\n') break
    if (deletes.has(key)) {
      if (isShown && text !== '') print('\b \b')
      text = [...text].slice(0, -1).join('')
    } else {
      text += key
      if (isShown) print(key)
    }
  }
  print('\n')
  return text
}
