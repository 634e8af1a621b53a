/** A button that reads a text file which the user chooses. */
import { FileButton, type ButtonProps } from '@mantine/core'
import { FileInput } from 'lucide-react'
import type { ReactNode } from 'react'
import type { CallName } from '../state/callerRoles.ts'
import { ActionButton } from './ActionButton.tsx'
import { useMay } from './useMay.ts'

interface TextFileButtonProps extends ButtonProps {
  /** Accepted endings or media types, as in HTML. */
  accept: string
  /** `name`: of the file, without its ending. */
  onText: (text: string, name: string) => void
  /** The call that the text is for: the button is disabled where the account may not make it. */
  needs?: CallName | undefined
  children: ReactNode
}

export function TextFileButton({ accept, onText, needs, children, ...rest }: TextFileButtonProps) {
  const why = useMay().why(needs)
  async function read(file: File | null): Promise<void> {
    if (file !== null) onText(await file.text(), file.name.replace(/\.[^.]*$/, ''))
  }
  return (
    <FileButton accept={accept} onChange={(file) => void read(file)} inputProps={{ 'aria-hidden': true, tabIndex: -1 }}>
      {({ onClick }) => (
        <ActionButton
          {...rest}
          onClick={onClick}
          why={why}
          variant="default"
          leftSection={<FileInput size={16} aria-hidden />}
        >
          {children}
        </ActionButton>
      )}
    </FileButton>
  )
}
