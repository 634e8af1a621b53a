/** What is chosen in the form of a batch job, and the request that it is: pure. */
import type { BatchRequest } from '../../../src-main/contract/contract.ts'
import { patternComplaint } from '../../../src-main/contract/pattern.ts'

export interface BatchDraft {
  /** A built-in one's name; null: the module at `path`. */
  builtIn: string | null
  path: string
  files: string
  job: number | null
  kind: BatchRequest['kind']
  replica: string | null
  minutes: number
  fileMinutes: number
}

export type BatchProblem = 'path' | 'ending' | 'files' | 'time'

/** Seven days and an hour, as the engine has them where nothing is said. */
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

/** The engine's own bound is two million seconds. */
export const minutesMax = 33_333

export function problemOf({ builtIn, path, files, minutes, fileMinutes }: BatchDraft): BatchProblem | null {
  if (builtIn === null && path.trim() === '') return 'path'
  if (builtIn === null && !path.trim().endsWith('.mjs')) return 'ending'
  if (patternComplaint(files) !== null) return 'files'
  return [minutes, fileMinutes].every((time) => time >= 1 && time <= minutesMax) ? null : 'time'
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
