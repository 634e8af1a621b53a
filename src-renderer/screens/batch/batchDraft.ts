/** The batch form as it is filled in, and the request made of it. Pure. */
import type { BatchRequest } from '../../../src-main/contract/services/batch.ts'

export interface BatchDraft {
  /** Name of a built-in module; null for the module at `path`. */
  builtIn: string | null
  path: string
  files: string
  job: number | null
  kind: BatchRequest['kind']
  replica: string | null
  minutes: number
  fileMinutes: number
}

/** Fields of the request that can be invalid. */
export type BatchField = 'module' | 'files' | 'jobs' | 'replica' | 'timeoutSeconds' | 'fileTimeoutSeconds'

/** The defaults of the engine: seven days for the run, one hour for a file. */
export const emptyDraft: BatchDraft = {
  builtIn: 'checksums',
  path: '',
  files: '',
  job: null,
  kind: 'both',
  replica: null,
  minutes: 10_080,
  fileMinutes: 60,
}

/** The engine accepts at most two million seconds. */
export const minutesMax = 33_333

export function moduleProblemOf({ builtIn, path }: Pick<BatchDraft, 'builtIn' | 'path'>): 'path' | 'ending' | null {
  if (builtIn !== null) return null
  if (path.trim() === '') return 'path'
  return path.trim().endsWith('.mjs') ? null : 'ending'
}

export function isMinutes(time: number): boolean {
  return time >= 1 && time <= minutesMax
}

export function requestOf(draft: BatchDraft): BatchRequest {
  const { builtIn, path, files, job, kind, replica, minutes, fileMinutes } = draft
  return {
    module: builtIn ?? path.trim(),
    kind,
    timeoutSeconds: Math.round(minutes * 60),
    fileTimeoutSeconds: Math.round(fileMinutes * 60),
    ...(files === '' ? {} : { files }),
    ...(job === null ? {} : { jobs: [job] }),
    ...(replica === null ? {} : { replica }),
  }
}
