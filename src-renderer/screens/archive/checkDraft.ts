/** The check dialog as it is filled in, the request that it makes, and its estimate. Pure. */
import type { CheckEstimate, CheckRequest, CheckSummary } from '../../../src-main/contract/services/checks.ts'
import { isWholeTask } from '../../../src-main/contract/states/taskStates.ts'
import { patternProblem } from '../../../src-main/contract/shapes/pattern.ts'

export const checkKinds = ['missing', 'checksums', 'spot'] as const
export type CheckKindChosen = (typeof checkKinds)[number]

export const checkExtents = ['whole', 'pattern', 'sample'] as const
export type CheckExtent = (typeof checkExtents)[number]

export interface CheckDraft {
  kind: CheckKindChosen
  /** Null for all replicas. A spot check always asks all. */
  replica: string | null
  extent: CheckExtent
  /** A regular expression, as typed. */
  pattern: string
  /** Text as typed, possibly not a number. */
  sample: string
  spotFiles: string
}

/** The initial input. Scheduled spot checks have the same number of files. */
export const usualCheck: Omit<CheckDraft, 'kind' | 'replica'> = {
  extent: 'whole',
  pattern: '',
  sample: '100',
  spotFiles: '10',
}

export type CheckProblem = 'noPattern' | 'wrongPattern' | 'noNumber' | 'tooMany'

/** Fields that the user types. */
export type CheckField = 'files' | 'sample' | 'spotFiles'

/** The field that is shown; null when there is none. */
export function fieldOf({ kind, extent }: Pick<CheckDraft, 'kind' | 'extent'>): CheckField | null {
  if (kind === 'spot') return 'spotFiles'
  return extent === 'whole' ? null : extent === 'pattern' ? 'files' : 'sample'
}

/** The engine's limit for one spot check. */
export const spotFilesMax = 1_000
/** Number of the last checks of a kind from which the rate is taken. Older ones are ignored, since drives change. */
const ratesMax = 5

export function problemOf(draft: CheckDraft): CheckProblem | null {
  if (draft.kind === 'spot') {
    const files = countIn(draft.spotFiles)
    return files === null ? 'noNumber' : files > spotFilesMax ? 'tooMany' : null
  }
  if (draft.extent === 'sample') return countIn(draft.sample) === null ? 'noNumber' : null
  if (draft.extent === 'whole') return null
  if (draft.pattern.trim() === '') return 'noPattern'
  return patternProblem(draft.pattern.trim()) === null ? null : 'wrongPattern'
}

/** The request made of the form; null when the form has a problem, and for a spot check. */
export function requestOf(draft: CheckDraft): CheckRequest | null {
  const { kind, replica, extent, pattern, sample } = draft
  if (kind === 'spot' || problemOf(draft) !== null) return null
  return {
    kind,
    ...(replica === null ? {} : { replica }),
    ...(extent === 'pattern' ? { files: pattern.trim() } : {}),
    ...(extent === 'sample' ? { sample: Number(sample) } : {}),
  }
}

/** Parses a whole number of at least 1; null for anything else. */
export function countIn(typed: string): number | null {
  return /^[1-9]\d{0,8}$/.test(typed.trim()) ? Number(typed.trim()) : null
}

/** Units per second (bytes, or files in a search for missing ones) of the fastest of the last complete checks: a speed limit can make a
 *  check slower than the drives, but nothing makes it faster. Checks by the schedule are left out, because they have a limit of their own.
 *  Undefined when there was no such check. */
export function rateSeen(checks: readonly CheckSummary[], kind: CheckSummary['kind']): number | undefined {
  const rates = checks
    .filter((check) => check.kind === kind && isWholeTask(check) && check.startedBy === 'user')
    .slice(0, ratesMax)
    .flatMap(({ runningMs, filesDone, bytesDone }) => {
      const done = kind === 'missing' ? filesDone : bytesDone
      return runningMs > 0 && done > 0 ? [(done * 1000) / runningMs] : []
    })
  return rates.length === 0 ? undefined : Math.max(...rates)
}

/** The estimated duration. `bytesPerSecondMax` is the speed limit of the settings; 0 for no limit. */
export function secondsFor(
  estimate: CheckEstimate,
  kind: CheckSummary['kind'],
  rate: number | undefined,
  bytesPerSecondMax: number,
): number | undefined {
  if (kind === 'missing') return rate && estimate.copies / rate
  const pace = rate === undefined ? bytesPerSecondMax : Math.min(rate, bytesPerSecondMax || rate)
  return pace > 0 ? estimate.bytes / pace : undefined
}
