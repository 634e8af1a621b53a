/** Shown when a command of the proxy or another window has changed the view. The open page is still from the former view; it stays, so that
 *  readers do not lose it, but its further requests are answered from the new view. */
import { Button, Group, Text } from '@mantine/core'
import { useStore } from 'zustand'
import { ToneNote } from '../../parts/ToneNote.tsx'
import { valueOf } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'
import { isOfAnother, shownTab } from '../../state/viewTabs.ts'
import { useWords } from '../../words/words.tsx'

export function OtherViewNote() {
  const t = useWords()
  const { view: store } = useSession()
  const state = useStore(store)
  const current = valueOf(state.view)
  if (!current || !isOfAnother(shownTab(state), current.view)) return null
  return (
    <ToneNote tone="attention" title={t('otherView.title')}>
      <Group justify="space-between">
        <Text size="sm">{t('otherView.text')}</Text>
        <Button size="xs" variant="default" onClick={state.reloadTabs}>
          {t('otherView.reloadTabs')}
        </Button>
      </Group>
    </ToneNote>
  )
}
