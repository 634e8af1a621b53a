/** The harvest form from the side, over whatever screen one is on. */
import { Drawer } from '@mantine/core'
import { useWords } from '../../words/words.tsx'
import { HarvestForm } from './HarvestForm.tsx'

export function HarvestDrawer({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const say = useWords()
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      position="right"
      size="lg"
      title={say('form.title')}
      closeButtonProps={{ 'aria-label': say('close') }}
    >
      <HarvestForm onStarted={onClose} />
    </Drawer>
  )
}
