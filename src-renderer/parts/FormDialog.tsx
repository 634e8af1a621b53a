/** A dialog with a form: Escape, the backdrop and its button ask before they discard what was typed (`useUnsaved`). */
import { Modal, type ModalProps } from '@mantine/core'
import { useWords } from '../words/words.tsx'
import { UnsavedScope, useGuardedClose } from './unsaved.tsx'

export function FormDialog({ onClose, children, ...rest }: ModalProps) {
  const t = useWords()
  const { inputs, close } = useGuardedClose(onClose)
  return (
    <Modal {...rest} onClose={close} closeButtonProps={{ 'aria-label': t('close') }}>
      <UnsavedScope inputs={inputs}>{children}</UnsavedScope>
    </Modal>
  )
}
