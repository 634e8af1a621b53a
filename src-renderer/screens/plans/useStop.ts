/** Stops plans after a question. */
import { useConfirm } from '../../parts/confirm.tsx'
import { showNotice } from '../../parts/notice.ts'
import { faultFrom } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'
import { faultText } from '../../words/language.ts'
import { useWords } from '../../words/words.tsx'

/** The returned function asks, stops the plan, and reports what the engine refused. */
export function useStop(): (name: string) => Promise<void> {
  const t = useWords()
  const confirm = useConfirm()
  const { services } = useSession()
  return async (name) => {
    const question = { title: t('plans.stop.title', { name }), text: t('plans.stop.text'), verb: t('plans.stop') }
    if (!(await confirm(question))) return
    try {
      await services.deliveries.stop({ name })
    } catch (error) {
      showNotice({ title: t('plans.refused'), message: faultText(faultFrom(error)), isError: true })
    }
  }
}
