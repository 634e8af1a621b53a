/** The export dialog: selection, format and output file; and the list of exports that are running or have ended. */
import { Stack } from '@mantine/core'
import { useSession } from '../../state/session.tsx'
import { useStore } from 'zustand'
import { Await } from '../../parts/Await.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { FormDialog } from '../../parts/FormDialog.tsx'
import { useWords } from '../../words/words.tsx'
import { useSelectable } from '../selection/useSelectable.ts'
import { ExportForm } from './ExportForm.tsx'
import { ExportList } from './ExportList.tsx'

export function ExportDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const t = useWords()
  return (
    <FormDialog opened={opened} onClose={onClose} size={760} title={t('export.title')}>
      <Body />
    </FormDialog>
  )
}

function Body() {
  const t = useWords()
  const { dialogs } = useSession()
  const { selection, matching } = useStore(dialogs)
  const [selectable, again] = useSelectable()
  return (
    <Stack>
      <Await of={selectable} onRetry={again}>
        {(value) =>
          value.hasFiles ? (
            <ExportForm
              key={JSON.stringify([selection, matching])}
              selectable={value}
              wanted={selection}
              matching={matching}
            />
          ) : (
            <EmptyState title={t('chooser.none')} text={t('chooser.none.text')} />
          )
        }
      </Await>
      <ExportList />
    </Stack>
  )
}
