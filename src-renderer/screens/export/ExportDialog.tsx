/** Writing records of chosen jobs into a new file: what, in which format, where to; and the exports that run or have ended. */
import { Modal, Stack } from '@mantine/core'
import { useSession } from '../../state/session.tsx'
import { useStore } from 'zustand'
import { Await } from '../../parts/Await.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { useWords } from '../../words/words.tsx'
import { ExportForm } from './ExportForm.tsx'
import { ExportList } from './ExportList.tsx'

export function ExportDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const say = useWords()
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size={760}
      title={say('export.title')}
      closeButtonProps={{ 'aria-label': say('close') }}
    >
      <Body />
    </Modal>
  )
}

function Body() {
  const say = useWords()
  const { jobs: store, dialogs } = useSession()
  const { jobs, load } = useStore(store)
  const { jobs: wanted } = useStore(dialogs)
  return (
    <Stack>
      <Await of={jobs} onRetry={() => void load()}>
        {(list) => {
          const ended = list.filter((job) => job.ended !== null)
          return ended.length === 0 ? (
            <EmptyState title={say('chooser.none')} text={say('chooser.none.text')} />
          ) : (
            <ExportForm key={wanted.join(',')} ended={ended} wanted={wanted} />
          )
        }}
      </Await>
      <ExportList />
    </Stack>
  )
}
