/** Tones for the states of copies, of conditions and of the attic. Their texts are in `repairWords.ts` under the same names. */
import type { AtticCheck } from '../../../src-main/contract/services/attic.ts'
import type { RepairableCopy, RepairCondition } from '../../../src-main/contract/services/repairs.ts'
import type { Tone } from '../../../src-main/contract/states/stateTable.ts'

export const copyTones: Record<RepairableCopy['state'], Tone> = {
  missing: 'failed',
  corrupt: 'failed',
  notStored: 'attention',
}

export const conditionTones: Record<RepairCondition['state'] | 'now', Tone> = {
  open: 'idle',
  now: 'running',
  met: 'done',
  failed: 'failed',
}

export const atticTones: Record<AtticCheck['state'], Tone> = {
  there: 'waiting',
  right: 'done',
  changed: 'failed',
  gone: 'failed',
  none: 'idle',
  unknown: 'attention',
}

/** Badge of each condition: the first one that is open is in progress. */
export function conditionBadges(
  conditions: readonly RepairCondition[],
  running: boolean,
): { condition: RepairCondition; is: RepairCondition['state'] | 'now' }[] {
  const now = running ? conditions.find(({ state }) => state === 'open') : undefined
  return conditions.map((condition) => ({ condition, is: condition === now ? 'now' : condition.state }))
}
