/** Decisions about documents: the user confirms each, and is told how many documents it changed. */
import type { Loupe } from '../../../src-main/contract/contract.ts'
import type { DeliveryDecision } from '../../../src-main/contract/services/deliveries.ts'
import { useConfirm } from '../../parts/confirm.tsx'
import { useFormats } from '../../parts/formats.ts'
import { showNotice } from '../../parts/notice.ts'
import { faultFrom } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'
import { faultText } from '../../words/language.ts'
import { useWords } from '../../words/words.tsx'

interface Decided {
  decision: DeliveryDecision
  documents: Parameters<Loupe['deliveries']['decide']>[0]['documents']
  /** Number of the documents. */
  count: number
  destination: string
  isStopped: boolean
}

/** The returned function resolves with whether the engine has changed documents. */
export function useDecisions(): (decided: Decided) => Promise<boolean> {
  const t = useWords()
  const { count: countText } = useFormats()
  const confirm = useConfirm()
  const { services } = useSession()
  return async ({ decision, documents, count, destination, isStopped }) => {
    const isAgreed = await confirm({
      title: t(`plan.${decision}.title`, { count }),
      text: t(`plan.${decision}.text`, { destination }),
      verb: t('plan.decide.verb', { verb: t(`plan.${decision}`), count: countText(count) }),
    })
    if (!isAgreed) return false
    try {
      const { decided } = await services.deliveries.decide({ decision, documents })
      const isSentLater = isStopped && decision !== 'drop'
      const sentences = [t('plan.decided', { count: decided }), ...(isSentLater ? [t('plan.decided.stopped')] : [])]
      showNotice({ message: sentences.join(' ') })
      return true
    } catch (error) {
      showNotice({ title: t('plan.decide.refused'), message: faultText(faultFrom(error)), isError: true })
      return false
    }
  }
}
