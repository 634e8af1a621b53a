/** Writes a report to where the user wants it. */
import { stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Fault } from '../../../contract/calls/faults.ts'
import { message } from '../../../contract/words/message.ts'
import { systemErrorText } from '../input/systemErrorText.ts'

/** Writes a report to a new file, or under its own name into a folder, and returns the path. An earlier report is evidence, so it is never
 *  overwritten: rejects with `Fault` refused. */
export async function writtenReport(
  destination: string,
  { name, text }: { name: string; text: string },
): Promise<string> {
  const asked = resolve(destination)
  const isFolder = await stat(asked).then(
    (found) => found.isDirectory(),
    (error: unknown) => {
      if (codeOf(error) === 'ENOENT') return false
      throw error
    },
  )
  const path = isFolder ? join(asked, name) : asked
  try {
    await writeFile(path, text, { flag: 'wx' })
  } catch (error) {
    const code = codeOf(error)
    if (code === 'EEXIST') throw new Fault('refused', message('cli.exists', { path }), { cause: error })
    if (code === 'ENOENT') throw new Fault('notFound', message('cli.noFolderFor', { path }), { cause: error })
    if (code === 'EACCES' || code === 'EPERM')
      throw new Fault('notAllowed', message('cli.unwritable', { path, problem: systemErrorText(error) }), {
        cause: error,
      })
    if (code === 'ENOSPC') throw new Fault('noSpace', message('cli.full', { path }), { cause: error })
    throw error
  }
  return path
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
