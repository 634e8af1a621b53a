/** A page consists of captures from several times and may never have looked as shown. The badge gives the time span of its captures, and is
 *  empty when all of them are close enough by the setting. */
import { Tooltip, UnstyledButton } from '@mantine/core'
import { Clock } from 'lucide-react'
import { useStore } from 'zustand'
import { useFormats } from '../../parts/formats.ts'
import { valueOf } from '../../state/loaded.ts'
import { distanceMsMaxOf, spanOf } from '../../state/pageGroups.ts'
import { useSession } from '../../state/session.tsx'
import type { Tab } from '../../state/viewTabs.ts'
import { useWords } from '../../words/words.tsx'

export function CoherenceBadge({ tab, onPress }: { tab: Tab; onPress: () => void }) {
  const t = useWords()
  const { distance } = useFormats()
  const { settings: store } = useSession()
  const distanceMsMax = distanceMsMaxOf(valueOf(useStore(store).settings))
  const span = spanOf(tab.resources, { page: tab.page, distanceMsMax })
  if (span === null) return null
  const ofPage = (time: string) => distance(time, span.page) || t('coherence.atPage')
  return (
    <Tooltip label={t('coherence.meaning')}>
      <UnstyledButton className="badge" data-tone="attention" onClick={onPress}>
        <Clock size={14} aria-hidden />
        {t('coherence.badge', { first: ofPage(span.first), last: ofPage(span.last) })}
      </UnstyledButton>
    </Tooltip>
  )
}
