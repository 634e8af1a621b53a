/** Secrets that the server reads at its start from files, because every account of a machine can read command lines. */
import { readFile, stat } from 'node:fs/promises'
import { Fault } from '../../contract/calls/faults.ts'
import { messageOf } from '../../contract/text/messageOf.ts'
import { message } from '../../contract/words/message.ts'

/** Reads a secret, without the spaces and line ends around it. Throws `Fault`: badInput for a file that cannot be read, notAllowed for one that other
 *  accounts of the machine may read. Windows has no such permissions: there the access list of the folder counts. */
export async function secretIn(path: string): Promise<string> {
  const found = await stat(path).catch((error: unknown) => unreadable(path, error))
  if (process.platform !== 'win32' && (found.mode & 0o077) !== 0)
    throw new Fault('notAllowed', message('server.secretOpen', { path }))
  return (await readFile(path, 'utf8').catch((error: unknown) => unreadable(path, error))).trim()
}

function unreadable(path: string, error: unknown): never {
  throw new Fault('badInput', message('server.tlsUnreadable', { path, problem: messageOf(error) }), { cause: error })
}
