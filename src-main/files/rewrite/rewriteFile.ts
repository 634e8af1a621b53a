/**
 * Rewriting of one archive file to a new file: recompressed, converted to WARC, or salvaged. The source is only read. The new file gets its
 * name after it was synced, read again and found to contain every record that was written; until then it is called `….part`. An existing
 * file is never overwritten.
 */
import type { FileFinding } from '../../contract/services/fileFindings.ts'
import type { Message } from '../../contract/words/message.ts'
import type { Changed, LeftOut } from '../../formats/rewrite/account.ts'
import type { World } from '../../world/world.ts'

/** The actions, in the order in which they are offered. */
export const rewriteActions = ['recompress', 'convert', 'salvage'] as const
export type RewriteAction = (typeof rewriteActions)[number]

/** Parameters of rewriting one file. */
export interface RewriteInput {
  action: RewriteAction
  source: string
  /** A file that does not exist yet; or a folder, in which the file gets its usual name (rewriteNames.ts). */
  target: { file: string } | { folder: string }
  /** The program with its version, for the records that it adds. */
  software: string
}

/** A list limited to the first ten thousand, with the total. */
export interface Listed<T> {
  total: number
  items: T[]
}

/** Result of rewriting one file. */
export interface RewriteSummary {
  target: string
  /** The format of the source: `ARC, gzip`. */
  kind: Message
  /** Number of records of the new file. */
  records: number
  bytes: number
  sha256: string
  leftOut: Listed<LeftOut>
  changed: Listed<Changed>
  /** Findings of the reader about the source. */
  findings: Listed<FileFinding>
}

/**
 * Reasons for a refusal. `exists`: the name of the new file is taken. `wrongKind`: the action does not apply to the format of the source.
 * `nothing`: the source contains no record. `sourceChanged`: the source was modified meanwhile. `differs`: the result cannot be read back
 * as it was written. In all these cases there is no new file.
 */
export type RewriteRefusal = 'exists' | 'wrongKind' | 'nothing' | 'sourceChanged' | 'differs'

/** Result of rewriting one file. */
export type RewriteOutcome =
  | { kind: 'done'; summary: RewriteSummary }
  | { kind: 'refused'; why: RewriteRefusal; target: string; problem: Message }

/** Progress in the present step. */
export interface RewriteProgress {
  step: 'hashing' | 'writing' | 'checking'
  bytes: number
  bytesTotal: number
}

/** Rewrites the file. Rejects with `DiskFault`, or with the signal's reason when it is aborted. */
export function rewriteFile(
  world: World,
  input: RewriteInput,
  options: { signal?: AbortSignal; onReport?: (progress: RewriteProgress) => void } = {},
): Promise<RewriteOutcome> {
  return world.threads.run<RewriteInput, RewriteOutcome, RewriteProgress>(
    new URL('./rewriteFile.thread.ts', import.meta.url),
    input,
    options,
  )
}
