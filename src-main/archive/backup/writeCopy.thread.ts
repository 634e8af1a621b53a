/** Copies the live database: a snapshot of its pages, which is checked, and out of it a compact copy. */
import { checkDatabase, snapshotDatabase, writeCompact } from '../../storage/copies.ts'
import type { Task } from '../../world/world.ts'

export interface CopyInput {
  /** The live database. */
  source: string
  snapshot: string
  target: string
  /** Tables whose rows stay out of the copy. */
  leftOut: readonly string[]
}

export interface CopyReport {
  phase: 'copying' | 'checking' | 'writing'
  share: number
}

/** `problems`: of the live database; where there are any, no copy was written. */
export interface CopyOutcome {
  problems: string[]
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
