/** The way from a task to the screen with its details and its result. */
import { Button } from '@mantine/core'
import type { TaskSummary } from '../../../src-main/contract/services/tasks.ts'
import { goTo } from '../../routes/routes.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { placeOf } from './taskPlaces.ts'

export function TaskLink({ task, onLeave }: { task: TaskSummary; onLeave: () => void }) {
  const t = useWords()
  const { dialogs } = useSession()
  const place = placeOf(task)
  if (place === undefined) return null
  const open = () => {
    if ('dialog' in place) return dialogs.getState().show(place.dialog)
    onLeave()
    goTo(place.route)
  }
  return (
    <Button size="compact-sm" variant="subtle" onClick={open}>
      {t('tasks.show')}
    </Button>
  )
}
