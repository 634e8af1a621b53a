/** The harvest form from the side, over whatever screen one is on: for a new harvest, or filled with a job's definition. */
import { Drawer } from '@mantine/core'
import type { JobWhole } from '../../../src-main/contract/contract.ts'
import { useWords } from '../../words/words.tsx'
import { HarvestForm } from './HarvestForm.tsx'

interface HarvestDrawerProps {
  opened: boolean
  onClose: () => void
  edited?: JobWhole
}

export function HarvestDrawer({ opened, onClose, edited }: HarvestDrawerProps) {
  const say = useWords()
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      position="right"
      size="lg"
      title={edited ? say('form.edit.title', { job: edited.job, name: edited.harvest }) : say('form.title')}
      closeButtonProps={{ 'aria-label': say('close') }}
    >
      <HarvestForm onDone={onClose} edited={edited} />
    </Drawer>
  )
}
