/** Asks before an action that cannot be undone. `await confirm({…})` is true when the user agrees. Only one question is open at a time; a
 *  second one is answered with no. */
import { Button, Group, Modal, Text } from '@mantine/core'
import { createContext, useCallback, useContext, useRef, useState, type ReactNode } from 'react'
import { useWords } from '../words/words.tsx'

interface Question {
  title: string
  text: string
  /** The verb on the button: never just "OK". */
  verb: string
  /** Text of the button that changes nothing; by default "Cancel". */
  keep?: string
}

type Confirm = (question: Question) => Promise<boolean>

const ConfirmContext = createContext<Confirm | null>(null)

export function ConfirmProvider({ children }: { children: ReactNode }) {
  const t = useWords()
  const [asked, setAsked] = useState<(Question & { answer: (agreed: boolean) => void }) | null>(null)
  const isAsking = useRef(false)
  const confirm = useCallback<Confirm>((question) => {
    if (isAsking.current) return Promise.resolve(false)
    isAsking.current = true
    return new Promise((answer) => setAsked({ ...question, answer }))
  }, [])
  function close(agreed: boolean): void {
    isAsking.current = false
    asked?.answer(agreed)
    setAsked(null)
  }
  return (
    <ConfirmContext value={confirm}>
      {children}
      <Modal
        opened={asked !== null}
        onClose={() => close(false)}
        title={asked?.title}
        closeButtonProps={{ 'aria-label': t('close') }}
        centered
        // Above the dialog that asks, which stays open. Escape closes this question only, so it is handled here and not by the window.
        zIndex={300}
        closeOnEscape={false}
        onKeyDown={(event) => event.key === 'Escape' && close(false)}
      >
        <Text mb="lg">{asked?.text}</Text>
        <Group justify="end">
          <Button variant="default" onClick={() => close(false)} data-autofocus>
            {asked?.keep ?? t('confirm.no')}
          </Button>
          <Button color="red" onClick={() => close(true)}>
            {asked?.verb}
          </Button>
        </Group>
      </Modal>
    </ConfirmContext>
  )
}

export function useConfirm(): Confirm {
  const confirm = useContext(ConfirmContext)
  if (!confirm) throw new Error('useConfirm needs a ConfirmProvider above it')
  return confirm
}
