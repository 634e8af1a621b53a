/** The authority that reads users and their groups from a file (`userFile.ts`). A changed file is read again. */
import { isUtf8 } from 'node:buffer'
import { isAbsolute } from 'node:path'
import { z } from 'zod'
import { refusedAs } from '../../contract/calls/refusedValue.ts'
import { message, type Message } from '../../contract/words/message.ts'
import { DiskFault, type World } from '../../world/world.ts'
import { unreachable, userNotFound } from '../model/answer.ts'
import type { AuthorityConnector } from '../model/connector.ts'
import { readUsers, type ReadUsers } from './userFile.ts'

/** Size of the file: some 100,000 users. */
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
  open({ path }, { world }) {
    const read = rereader(world, path)
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

/** Returns a function that gives the users of the file as it is now. Questions that come while it is being read wait for that. */
function rereader(world: Pick<World, 'clock' | 'disk'>, path: string): () => Promise<ReadUsers> {
  const { clock, disk } = world
  const pause = () => clock.sleep(0)
  let last: { version: string; users: Promise<ReadUsers> } | undefined
  return async () => {
    try {
      const entry = await disk.stat(path)
      if (entry?.kind !== 'file') return { problem: message('authority.file.absent', { path }) }
      const version = `${entry.modifiedAtMs} ${entry.bytes}`
      if (last?.version !== version)
        last = { version, users: disk.read(path, fileBytesMax).then((bytes) => usersIn(path, bytes, pause)) }
      return await last.users
    } catch (error) {
      last = undefined
      if (!(error instanceof DiskFault)) throw error
      return { problem: diskProblem(error, path) }
    }
  }
}

async function usersIn(path: string, bytes: Uint8Array, pause: () => Promise<void>): Promise<ReadUsers> {
  if (!isUtf8(bytes)) return { problem: message('authority.file.encoding', { path }) }
  const read = await readUsers(new TextDecoder().decode(bytes), pause)
  return 'users' in read ? read : { problem: message('authority.file.wrong', { path, problem: read.problem }) }
}

function diskProblem({ code }: DiskFault, path: string): Message {
  if (code === 'absent') return message('authority.file.absent', { path })
  if (code === 'tooLarge') return message('authority.file.large', { path, most: fileBytesMax })
  return message('authority.file.unreadable', { path })
}
