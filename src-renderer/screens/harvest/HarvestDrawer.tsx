/** The harvest form in a drawer over the current screen: empty for a new harvest, or filled with the definition of a job. */
import { Drawer } from '@mantine/core'
import type { JobWhole } from '../../../src-main/contract/services/jobDetails.ts'
import { useWords } from '../../words/words.tsx'
import { UnsavedScope, useGuardedClose } from '../../parts/unsaved.tsx'
import { HarvestForm } from './HarvestForm.tsx'

interface HarvestDrawerProps {
  opened: boolean
  onClose: () => void
  edited?: JobWhole
}

export function HarvestDrawer({ opened, onClose, edited }: HarvestDrawerProps) {
  const t = useWords()
  const { inputs, close } = useGuardedClose(onClose)
  return (
    <Drawer
      opened={opened}
      onClose={close}
      position="right"
      size="lg"
      title={edited ? t('form.edit.title', { job: edited.job, name: edited.harvest }) : t('form.title')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <UnsavedScope inputs={inputs}>
        <HarvestForm onDone={onClose} edited={edited} />
      </UnsavedScope>
    </Drawer>
  )
}
