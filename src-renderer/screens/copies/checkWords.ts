/** Texts for checks: the reason why one cannot start, its name, and the values of its findings. */
import type { CheckSummary, PreservationFinding } from '../../../src-main/contract/services/checks.ts'
import type { ReplicaSummary } from '../../../src-main/contract/services/replicas.ts'
import { canGoOn, isRunning } from '../../state/checks.ts'
import type { Translate } from '../../words/words.tsx'

/** The reason why a user cannot start a check of these replicas; null when they can. A check by the schedule stops for it. */
export function whyNoCheck(
  t: Translate,
  replicas: readonly Pick<ReplicaSummary, 'replica' | 'reachable'>[],
  checks: readonly CheckSummary[],
): string | null {
  if (replicas.length === 0) return t('checkDialog.why.none')
  if (replicas.every(({ reachable }) => !reachable)) return t('checkDialog.why.unreachable')
  const busy = checks.find(
    (check) =>
      isRunning(check) &&
      check.startedBy !== 'schedule' &&
      replicas.some(({ replica }) => check.replicas.includes(replica)),
  )
  return busy ? t('checkDialog.why.running', { check: busy.task }) : null
}

/** Checks that can be resumed, without those that a later check of the same kind, replicas and files replaces. `checks`: newest first. */
export function unfinished(checks: readonly CheckSummary[]): CheckSummary[] {
  return checks.filter(
    (check, index) => canGoOn(check) && !checks.slice(0, index).some((later) => replaces(later, check)),
  )
}

function replaces(later: CheckSummary, check: CheckSummary): boolean {
  const isOfSame = later.kind === check.kind && check.replicas.every((name) => later.replicas.includes(name))
  const isOfAll = later.files === null && later.sample === null
  return isOfSame && (isOfAll || (later.files === check.files && later.sample === check.sample))
}

/** `Check 3: checksums in ONE, TWO · only files that match ^3-`. */
export function checkName(
  t: Translate,
  { task: check, kind, replicas, files, sample, startedBy }: CheckSummary,
): string {
  return [
    t(kind === 'missing' ? 'check.missing' : 'check.checksums', { check, replicas: replicas.join(', ') }),
    ...(files === null ? [] : [t('check.of.pattern', { pattern: files })]),
    ...(sample === null ? [] : [t('check.of.sample', { sample })]),
    ...(startedBy === 'schedule' ? [t('checks.begunBy.schedule')] : []),
  ].join(' · ')
}

/** The expected or found value of a finding: a length, a checksum, or why the copy could not be read. */
export function valueWords(t: Translate, value: PreservationFinding['expected']): string {
  return value === null ? '–' : t(value)
}
