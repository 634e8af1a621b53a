/** Copies a text; says so for a moment where it was pressed. */
import { useClipboard } from '@mantine/hooks'
import { Check, Copy } from 'lucide-react'
import { useWords } from '../words/words.tsx'
import { IconAction } from './IconAction.tsx'

export function CopyAction({ text, what }: { text: string; what: string }) {
  const say = useWords()
  const clipboard = useClipboard({ timeout: 2_000 })
  return (
    <IconAction
      name={clipboard.copied ? say('copy.done') : say('copy.what', { what })}
      icon={clipboard.copied ? Check : Copy}
      onClick={() => clipboard.copy(text)}
    />
  )
}
