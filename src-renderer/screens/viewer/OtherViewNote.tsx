/** Somebody else chose what is viewed, by a command of the proxy or in another window: the page that is shown is of what was viewed
 *  before. It stays, so that nobody loses what they read; but it is said, since what it still asks for is answered from now. */
import { Button, Group, Text } from '@mantine/core'
import { useStore } from 'zustand'
import { ToneNote } from '../../parts/ToneNote.tsx'
import { valueOf } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'
import { isOfAnother, shownTab } from '../../state/viewTabs.ts'
import { useWords } from '../../words/words.tsx'

export function OtherViewNote() {
  const say = useWords()
  const { view: store } = useSession()
  const state = useStore(store)
  const current = valueOf(state.view)
  if (!current || !isOfAnother(shownTab(state), current.view)) return null
  return (
    <ToneNote tone="attention" title={say('otherView.title')}>
      <Group justify="space-between">
        <Text size="sm">{say('otherView.text')}</Text>
        <Button size="xs" variant="default" onClick={state.loadAnew}>
          {say('otherView.loadAnew')}
        </Button>
      </Group>
    </ToneNote>
  )
}
