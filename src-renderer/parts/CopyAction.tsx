/** A button that copies a text and confirms it on the button for two seconds. */
import { useClipboard } from '@mantine/hooks'
import { Check, Copy } from 'lucide-react'
import { useWords } from '../words/words.tsx'
import { IconAction } from './IconAction.tsx'

export function CopyAction({ text, what }: { text: string; what: string }) {
  const t = useWords()
  const clipboard = useClipboard({ timeout: 2_000 })
  return (
    <IconAction
      name={clipboard.copied ? t('copy.done') : t('copy.what', { what })}
      icon={clipboard.copied ? Check : Copy}
      onClick={() => clipboard.copy(text)}
    />
  )
}
