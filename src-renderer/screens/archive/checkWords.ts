/** Checks in words: why one cannot begin, how old the last one is, what one found. */
import type { CheckSummary, PreservationFinding, ReplicaSummary } from '../../../src-main/contract/contract.ts'
import { checkStates } from '../../../src-main/contract/states.ts'
import type { Formats } from '../../parts/formats.ts'
import type { Say } from '../../words/words.tsx'

/** Older than this and the screen says so: a copy may have rotted for months without anybody knowing. */
const checkAgeDaysMax = 90

/** Null: a check of these replicas may begin. */
export function whyNoCheck(
  say: Say,
  replicas: readonly ReplicaSummary[],
  checks: readonly CheckSummary[],
): string | null {
  if (replicas.every(({ reachable }) => !reachable)) return say('archive.check.why.unreachable')
  const busy = checks.find(
    (check) => isRunning(check) && replicas.some(({ replica }) => check.replicas.includes(replica)),
  )
  return busy ? say('archive.check.why.running', { check: busy.check }) : null
}

export function isRunning({ state }: CheckSummary): boolean {
  return eventsIn(state).includes('stop')
}

export function canGoOn({ state }: CheckSummary): boolean {
  return eventsIn(state).includes('resume')
}

function eventsIn(state: string): string[] {
  return checkStates.moves.filter(({ from }) => from === state).map(({ event }) => event)
}

export interface CheckAge {
  text: string
  isOld: boolean
}

export function checkAge(say: Say, formats: Formats, last: string | null, now: Date): CheckAge {
  if (last === null) return { text: say('archive.never'), isOld: true }
  const days = (now.getTime() - Date.parse(last)) / 86_400_000
  return { text: formats.ago(last, now), isOld: days > checkAgeDaysMax }
}

/** Lengths are expected and found as numbers of bytes; checksums are shown as they are. */
export function expectedWords(formats: Formats, finding: PreservationFinding['finding'], value: string | null): string {
  if (value === null) return '–'
  return finding === 'wrongLength' && /^\d+$/.test(value) ? formats.bytes(Number(value)) : value
}
