/** Copies the live database: takes a snapshot of its pages, checks it, and writes a compact copy from it. */
import type { Message } from '../../contract/words/message.ts'
import { checkDatabase, snapshotDatabase, writeCompact } from '../../storage/copies.ts'
import type { Task } from '../../world/world.ts'

export interface CopyInput {
  /** Path of the live database. */
  source: string
  snapshot: string
  target: string
  /** Tables whose rows are left out of the copy. */
  leftOut: readonly string[]
}

export interface CopyReport {
  phase: 'copying' | 'checking' | 'writing'
  share: number
}

/** `problems`: problems of the live database; if there are any, no copy was written. */
export interface CopyOutcome {
  problems: Message[]
}

export const task: Task<CopyInput, CopyOutcome, CopyReport> = async ({ report, signal }, input) => {
  const { source, snapshot, target, leftOut } = input
  const onProgress = (phase: CopyReport['phase']) => (share: number) => report({ phase, share })
  await snapshotDatabase({ source, target: snapshot }, { signal, onProgress: onProgress('copying') })
  const { problems } = await checkDatabase(snapshot, { signal, onProgress: onProgress('checking') })
  if (problems.length > 0) return { problems }
  report({ phase: 'writing', share: 0 })
  writeCompact({ snapshot, target }, { leftOut })
  return { problems: [] }
}
