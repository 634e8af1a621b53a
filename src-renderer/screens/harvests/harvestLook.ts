/** The state of a harvest definition in words and a tone. */
import type { HarvestRow } from '../../../src-main/contract/services/harvestDefinitions.ts'
import type { Tone } from '../../../src-main/contract/states/stateTable.ts'
import type { Translate } from '../../words/words.tsx'

export function harvestLook(
  t: Translate,
  { isGenerating, isActive, problem }: Pick<HarvestRow, 'isGenerating' | 'isActive' | 'problem'>,
): { tone: Tone; text: string; meaning?: string } {
  if (isGenerating) return { tone: 'running', text: t('harvests.state.generating') }
  if (problem) return { tone: isActive ? 'attention' : 'failed', text: t(isActive ? 'harvests.state.postponed' : 'harvests.state.failed'), meaning: t(problem) } // prettier-ignore
  return isActive
    ? { tone: 'waiting', text: t('harvests.state.active') }
    : { tone: 'idle', text: t('harvests.state.inactive') }
}
