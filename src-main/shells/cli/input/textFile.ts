/** Text of a file that is named on the command line; `-` is standard input. */
import { readFile } from 'node:fs/promises'
import { Fault } from '../../../contract/calls/faults.ts'
import { message } from '../../../contract/words/message.ts'
import { systemErrorText } from './systemErrorText.ts'

/** Reads the file. Throws `Fault` notFound, or refused if it cannot be read. */
export async function readText(path: string): Promise<string> {
  if (path === '-') return standardInput()
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause)) throw cause
    if (cause.code === 'ENOENT' || cause.code === 'ENOTDIR')
      throw new Fault('notFound', message('cli.noFile', { path }), { cause })
    throw new Fault('refused', message('cli.unreadable', { path, problem: systemErrorText(cause) }), { cause })
  }
}

async function standardInput(): Promise<string> {
  let text = ''
  for await (const chunk of process.stdin.setEncoding('utf8')) text += String(chunk)
  return text
}

/** Returns the lines of a text that are neither blank nor comments. */
export function linesIn(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
}
