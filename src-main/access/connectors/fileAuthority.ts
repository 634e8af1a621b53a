/** The authority that reads users and their groups from a file (`userFile.ts`). A changed file is read again. */
import { isAbsolute } from 'node:path'
import { z } from 'zod'
import { refusedAs } from '../../contract/calls/refusedValue.ts'
import { message, type Message } from '../../contract/words/message.ts'
import { DiskFault, type Disk } from '../../world/world.ts'
import { unreachable, userNotFound } from '../model/answer.ts'
import type { AuthorityConnector } from '../model/connector.ts'
import { readUsers, type ReadUsers } from './userFile.ts'

/** Size of the file: some 100,000 users, which take less than a tenth of a second to read. */
const fileBytesMax = 4_000_000

interface FileSettings {
  /** Absolute path. */
  path: string
}

export const fileAuthority: AuthorityConnector<FileSettings> = {
  name: 'file',
  description: message('authority.file'),
  settings: z.strictObject({
    path: z
      .string()
      .trim()
      .refine(
        isAbsolute,
        refusedAs((field) => message('authority.file.relative', { field })),
      ),
  }),
  open({ path }, { world: { disk } }) {
    const read = rereader(disk, path)
    return {
      async ask(user) {
        const found = await read()
        if ('problem' in found) return unreachable(found.problem)
        const tokens = found.users.get(user)
        return tokens ? { status: 'OK', tokens: [...tokens] } : userNotFound
      },
      async check() {
        const found = await read()
        return 'problem' in found ? found.problem : undefined
      },
    }
  },
}

/** Returns a function that gives the users of the file as it is now. */
function rereader(disk: Disk, path: string): () => Promise<ReadUsers> {
  let last: { version: string; users: ReadUsers } | undefined
  return async () => {
    try {
      const entry = await disk.stat(path)
      if (entry?.kind !== 'file') return { problem: message('authority.file.absent', { path }) }
      const version = `${entry.modifiedAtMs} ${entry.bytes}`
      if (last?.version === version) return last.users
      const users = usersIn(path, await disk.read(path, fileBytesMax))
      last = { version, users }
      return users
    } catch (error) {
      if (!(error instanceof DiskFault)) throw error
      return { problem: diskProblem(error, path) }
    }
  }
}

function usersIn(path: string, bytes: Uint8Array): ReadUsers {
  try {
    const read = readUsers(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    return 'users' in read ? read : { problem: message('authority.file.wrong', { path, problem: read.problem }) }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return { problem: message('authority.file.encoding', { path }) }
  }
}

function diskProblem({ code }: DiskFault, path: string): Message {
  if (code === 'absent') return message('authority.file.absent', { path })
  if (code === 'tooLarge') return message('authority.file.large', { path, most: fileBytesMax })
  return message('authority.file.unreadable', { path })
}
