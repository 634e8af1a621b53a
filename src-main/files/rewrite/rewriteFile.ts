/** One archive file rewritten to a new file: recompressed, converted to WARC, or salvaged. The source is only read. The new
 *  file has its name once it was synced, read again and found to hold every record that was written; until then it is called
 *  `….part`. A name that is taken is never overwritten. */
import type { FileFinding } from '../../contract/contract.ts'
import type { Changed, LeftOut } from '../../formats/rewrite/account.ts'
import type { World } from '../../world/world.ts'

export const rewriteActions = ['recompress', 'convert', 'salvage'] as const
export type RewriteAction = (typeof rewriteActions)[number]

export interface RewriteInput {
  action: RewriteAction
  source: string
  /** A file that does not exist yet; or a folder, in which the file gets its usual name (rewriteNames.ts). */
  target: { file: string } | { folder: string }
  /** The program with its version, for the records that it adds. */
  software: string
}

/** What there was, and of that the first ten thousand. */
export interface Listed<T> {
  total: number
  items: T[]
}

export interface RewriteSummary {
  target: string
  /** What the source is, in words: `ARC, gzip`. */
  kind: string
  /** Of the new file. */
  records: number
  bytes: number
  sha256: string
  leftOut: Listed<LeftOut>
  changed: Listed<Changed>
  /** What the reader said of the source. */
  findings: Listed<FileFinding>
}

/** `exists`: something has the name of the new file. `wrongKind`: the action is not for what the source is. `nothing`: no
 *  record can be found in it. `sourceChanged`: the source was written to meanwhile. `differs`: what was written is not what can
 *  be read again. In each of these cases no new file is there. */
export type RewriteRefusal = 'exists' | 'wrongKind' | 'nothing' | 'sourceChanged' | 'differs'

export type RewriteOutcome =
  | { kind: 'done'; summary: RewriteSummary }
  | { kind: 'refused'; why: RewriteRefusal; target: string; text: string }

export interface RewriteProgress {
  step: 'hashing' | 'writing' | 'checking'
  bytes: number
  bytesTotal: number
}

/** Rejects with `DiskFault`, or with the signal's reason when it is aborted. */
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
