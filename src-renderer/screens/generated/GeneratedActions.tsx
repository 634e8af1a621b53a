/** Repeats or gives up the selected generated jobs. */
import { Ban, RotateCcw, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { useStore } from 'zustand'
import type { StoreApi } from 'zustand/vanilla'
import type { GeneratedJobRow } from '../../../src-main/contract/services/generatedJobs.ts'
import { generatedActions, type GeneratedAction } from '../../../src-main/contract/states/generatedStatuses.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { showNotice } from '../../parts/notice.ts'
import { faultFrom } from '../../state/loaded.ts'
import type { PagesState } from '../../state/pages.ts'
import { useSession } from '../../state/session.tsx'
import { faultText } from '../../words/language.ts'
import { useWords } from '../../words/words.tsx'

const icons = { resubmit: RotateCcw, reject: Ban, unreject: Undo2 }

interface GeneratedActionsProps {
  pages: StoreApi<PagesState<GeneratedJobRow>>
  selection: { keys: ReadonlySet<number>; clear(): void }
}

export function GeneratedActions({ pages, selection }: GeneratedActionsProps) {
  const t = useWords()
  const { services } = useSession()
  const { rows } = useStore(pages)
  const [running, setRunning] = useState<GeneratedAction | null>(null)
  const loaded = new Map([...rows.values()].map((row) => [row.job, row]))
  /** Selected jobs that take the action, as far as it is known. */
  const able = (action: GeneratedAction) =>
    [...selection.keys].filter((job) => loaded.get(job)?.actions.includes(action) ?? true)

  async function act(action: GeneratedAction): Promise<void> {
    setRunning(action)
    let done = 0
    try {
      for (const job of able(action)) {
        await services.generatedJobs[action]({ job })
        done += 1
      }
      showNotice({ message: t('generated.done', { done }) })
      selection.clear()
    } catch (error) {
      const problem = faultText(faultFrom(error))
      showNotice({ isError: true, message: t('generated.left', { done, problem }) })
    } finally {
      setRunning(null)
      pages.getState().refresh()
    }
  }

  return generatedActions.map((action) => {
    const Icon = icons[action]
    const none = able(action).length === 0 ? t(`generated.why.${action}`) : null
    return (
      <ActionButton
        key={action}
        size="xs"
        variant="default"
        leftSection={<Icon size={14} aria-hidden />}
        loading={running === action}
        why={selection.keys.size === 0 ? t('generated.why.none') : none}
        onClick={() => void act(action)}
      >
        {t(`generated.${action}`)}
      </ActionButton>
    )
  })
}
