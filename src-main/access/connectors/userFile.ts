/** A file of users and groups in CSV (RFC 4180): each line has a user, and then the groups of the user, which are the tokens. A user may
 *  have several lines. Empty lines, and lines that begin with `#`, are left out. A file with a mistake is not used at all, because what is
 *  unreadable could be a group that denies. */
import { message, type Message } from '../../contract/words/message.ts'

/** Users with their tokens, or what is wrong with the file. */
export type ReadUsers = { users: Map<string, Set<string>> } | { problem: Message }

/** Lines that are read without a pause: some 5 ms of work. */
const linesAtOnce = 1_000

/** Reads the file. `pause` is awaited now and then: a file of 4 MB takes half a second, and the thread answers others meanwhile. */
export async function readUsers(text: string, pause: () => Promise<void>): Promise<ReadUsers> {
  const users = new Map<string, Set<string>>()
  for (const [index, line] of text
    .replace(/^\u{FEFF}/u, '')
    .split(/\r\n|\n|\r/)
    .entries()) {
    if ((index + 1) % linesAtOnce === 0) await pause()
    if (line.trim() === '' || line.startsWith('#')) continue
    const fields = fieldsOf(line)
    if (fields === undefined) return { problem: message('authority.file.quotes', { line: index + 1 }) }
    const [user = '', ...tokens] = fields
    if (user === '') return { problem: message('authority.file.noUser', { line: index + 1 }) }
    if (tokens.includes('')) return { problem: message('authority.file.noGroup', { line: index + 1, user }) }
    const known = users.get(user) ?? new Set()
    for (const token of tokens) known.add(token)
    users.set(user, known)
  }
  return { users }
}

/** One field and what follows it: in quotes, where two quotes stand for one, or without them. */
const field = /(?:\s*"((?:[^"]|"")*)"\s*|([^",]*))(,|$)/y

/** Splits a line; undefined where quotes are not closed or are in the middle of a field. A line break in quotes is not supported. */
function fieldsOf(line: string): string[] | undefined {
  const fields: string[] = []
  field.lastIndex = 0
  for (;;) {
    const match = field.exec(line)
    if (!match) return undefined
    const [, quoted, plain = '', separator] = match
    fields.push(quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"'))
    if (separator === '') return fields
  }
}
