/** Reading of a JSON file that is named on the command line, against a shape of the contract. */
import { readFile } from 'node:fs/promises'
import { Fault } from '../../../contract/calls/faults.ts'
import { refusalOf } from '../../../contract/calls/refusedValue.ts'
import { message } from '../../../contract/words/message.ts'
import { systemErrorText } from './systemErrorText.ts'

/** The part of a contract shape that is needed here. */
interface Shape<Value> {
  safeParse(value: unknown): { success: true; data: Value } | { success: false; error: Parameters<typeof refusalOf>[0] }
}

/** Reads and checks a file. `wrap` expands the short form that a user may write into the whole value. */
export async function readShape<Value>(
  option: string,
  path: string,
  { shape, wrap }: { shape: Shape<Value>; wrap: (value: unknown) => unknown },
): Promise<Value> {
  const value = wrap(await read(path))
  const result = shape.safeParse(value)
  if (result.success) return result.data
  const problem = refusalOf(result.error, value)
  throw new Fault('badInput', message('cli.option.file', { option, path, problem }))
}

async function read(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as unknown
  } catch (cause) {
    if (cause instanceof SyntaxError)
      throw new Fault('badInput', message('cli.unreadable.json', { path, problem: cause.message }), { cause })
    if (!(cause instanceof Error && 'code' in cause)) throw cause
    if (cause.code === 'ENOENT' || cause.code === 'ENOTDIR')
      throw new Fault('notFound', message('cli.noFile', { path }), { cause })
    throw new Fault('refused', message('cli.unreadable', { path, problem: systemErrorText(cause) }), {
      cause,
    })
  }
}
