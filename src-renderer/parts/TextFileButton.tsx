/** A button that reads a text file which the user chooses. */
import { Button, FileButton, type ButtonProps } from '@mantine/core'
import { FileInput } from 'lucide-react'
import type { ReactNode } from 'react'

interface TextFileButtonProps extends ButtonProps {
  /** Accepted endings or media types, as in HTML. */
  accept: string
  /** `name`: of the file, without its ending. */
  onText: (text: string, name: string) => void
  children: ReactNode
}

export function TextFileButton({ accept, onText, children, ...rest }: TextFileButtonProps) {
  async function read(file: File | null): Promise<void> {
    if (file !== null) onText(await file.text(), file.name.replace(/\.[^.]*$/, ''))
  }
  return (
    <FileButton accept={accept} onChange={(file) => void read(file)} inputProps={{ 'aria-hidden': true, tabIndex: -1 }}>
      {(props) => (
        <Button {...rest} {...props} variant="default" leftSection={<FileInput size={16} aria-hidden />}>
          {children}
        </Button>
      )}
    </FileButton>
  )
}
