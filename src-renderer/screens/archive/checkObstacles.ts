/** What prevents a check from being started: invalid input, and the state of replicas and checks. */
import { useStore } from 'zustand'
import type { CheckSummary } from '../../../src-main/contract/services/checks.ts'
import type { ReplicaState } from '../../../src-main/contract/services/replicas.ts'
import type { ArchiveState } from '../../state/archiveState.ts'
import { valueOf } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'
import { useWords, type Translate } from '../../words/words.tsx'
import { whyNoCheck } from '../copies/checkWords.ts'
import { fieldOf, problemOf, spotFilesMax, type CheckDraft, type CheckField } from './checkDraft.ts'
import type { Estimated } from './checkEstimate.ts'

interface Situation extends Pick<ArchiveState, 'spot' | 'asking'> {
  draft: CheckDraft
  replicas: readonly Pick<ReplicaState, 'replica' | 'reachable'>[]
  checks: readonly CheckSummary[]
  /** Whether the input selects no copy. */
  isNothing: boolean
}

interface Obstacles {
  /** The field that `wrong` concerns; null where the user has nothing to fill in. */
  field: CheckField | null
  /** What is wrong with the input; null where it is valid. */
  wrong: string | null
  /** The reason why the check cannot be started, apart from the input; null where it can. */
  why: string | null
}

export function useObstacles(
  draft: CheckDraft,
  replicas: readonly ReplicaState[],
  { isNothing }: Estimated,
): Obstacles {
  const { checks, spot, asking } = useStore(useSession().archive)
  return obstaclesTo(useWords(), { draft, replicas, checks: valueOf(checks) ?? [], spot, asking, isNothing })
}

export function obstaclesTo(t: Translate, situation: Situation): Obstacles {
  const { draft, replicas, checks, spot, asking, isNothing } = situation
  const field = fieldOf(draft)
  const problem = problemOf(draft)
  // A pattern without a match is an error in the pattern; any other empty selection is a state of the archive.
  const isPatternOfNothing = field === 'files' && isNothing
  const noMatch = isPatternOfNothing ? t('checkDialog.problem.noMatch') : null
  const wrong = problem ? t(`checkDialog.problem.${problem}`, { max: spotFilesMax }) : noMatch

  function why(): string | null {
    const busy = draft.kind === 'spot' ? whyNoSpotCheck() : whyNoCheck(t, chosenReplicas(), checks)
    if (busy !== null) return busy
    if (isNothing && !isPatternOfNothing) return t('checkDialog.why.nothing')
    return asking ? t('checkDialog.why.beginning') : null
  }

  function whyNoSpotCheck(): string | null {
    return spot.is === 'asking' ? t('checkDialog.why.asking') : whyNoCheck(t, replicas, [])
  }

  function chosenReplicas(): Situation['replicas'] {
    return replicas.filter((row) => draft.replica === null || row.replica === draft.replica)
  }

  return { field, wrong, why: why() }
}
