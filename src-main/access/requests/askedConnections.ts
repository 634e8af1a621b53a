/** Connections of one kind that are asked: each is opened when it is first needed, asked by workers within its time limit, and its results are
 *  kept until it changes. */
import type { AuthorityConnectionRow } from '../../contract/services/authorities.ts'
import type { Message } from '../../contract/words/message.ts'
import type { Clock } from '../../world/world.ts'
import type { OpenConnection } from '../model/connector.ts'
import { foldedName } from '../store/sameName.ts'
import { keptResults, type KeptResults } from './keptResults.ts'
import { answeredInTime } from './timeLimit.ts'
import { workersOf } from './workers.ts'

interface AskSetting<Result> {
  clock: Clock
  /** Workers for this kind of connection. */
  workers: () => number
  open(row: AuthorityConnectionRow): OpenConnection<Result>
  /** The result of a connection that does not answer. */
  failed(problem: Message): Result
  isKept(result: Result): boolean
  /** Takes an error of a connector that is a bug. */
  onBug(error: unknown): void
}

/** Connections of one kind. */
export interface AskedConnections<Result> {
  /** Asks about a user. Rejects with `Fault` unreachable when too many questions are waiting. */
  ask(row: AuthorityConnectionRow, user: string): Promise<Result>
  /** Drops everything that is known of a connection, because it or its connector has changed. */
  forget(name: string): void
}

interface Asked<Result> {
  /** The row that it was opened with, as text. */
  version: string
  connection: OpenConnection<Result>
  results: KeptResults<Result>
}

/** Makes a collection without open connections. */
export function askedConnections<Result>(setting: AskSetting<Result>): AskedConnections<Result> {
  const { clock, open, failed, isKept } = setting
  const workers = workersOf(setting.workers)
  const opened = new Map<string, Asked<Result>>()

  function openedOf(row: AuthorityConnectionRow): Asked<Result> {
    const name = foldedName(row.name)
    // A request that waited for a mapping may come with a row that has changed meanwhile.
    const version = JSON.stringify(row)
    const known = opened.get(name)
    if (known?.version === version) return known
    const { cacheSeconds, cachedUsersMax: keptMax } = row
    const results = keptResults<Result>({ clock, keepMs: cacheSeconds * 1_000, keptMax, isKept })
    const asked = { version, connection: open(row), results }
    opened.set(name, asked)
    return asked
  }

  async function answer(row: AuthorityConnectionRow, ask: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const answered = await answeredInTime(setting, row, ask)
    return 'value' in answered ? answered.value : failed(answered.problem)
  }

  return {
    async ask(row, user) {
      const { connection, results } = openedOf(row)
      const asked = { name: foldedName(row.name), connectionsMax: row.connectionsMax }
      return results.get(user, () => workers.run(asked, () => answer(row, (signal) => connection.ask(user, signal))))
    },
    forget: (name) => void opened.delete(foldedName(name)),
  }
}
