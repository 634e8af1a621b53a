/** Activates, deactivates and runs harvests, one after the other, and reports what the engine refused. */
import { useState } from 'react'
import { showNotice } from '../../parts/notice.ts'
import { faultFrom } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'
import { faultText } from '../../words/language.ts'
import { useWords } from '../../words/words.tsx'

export type HarvestAction = 'activate' | 'deactivate' | 'run'

interface HarvestActions {
  /** The action that is going on; null: none. */
  running: HarvestAction | null
  /** Ends at the first harvest that refuses. */
  act(action: HarvestAction, harvests: readonly number[]): Promise<void>
}

export function useHarvestActions(): HarvestActions {
  const t = useWords()
  const { services } = useSession()
  const [running, setRunning] = useState<HarvestAction | null>(null)
  return {
    running,
    async act(action, harvests) {
      setRunning(action)
      let jobs = 0
      try {
        for (const harvest of harvests) {
          if (action === 'run') jobs += (await services.harvestDefinitions.run({ harvest })).jobs.length
          else await services.harvestDefinitions[action]({ harvest })
        }
        const count = action === 'run' ? jobs : harvests.length
        showNotice({ message: t(`harvests.done.${action}`, { count }) })
      } catch (error) {
        showNotice({ isError: true, message: faultText(faultFrom(error)) })
      } finally {
        setRunning(null)
      }
    },
  }
}
