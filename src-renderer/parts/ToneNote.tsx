/** A note with the colour and symbol of its tone. Screen readers announce it when it appears, and it can receive the focus. */
import { CircleCheck, OctagonX, TriangleAlert } from 'lucide-react'
import { useId, type ReactNode, type Ref } from 'react'
import styles from './parts.module.css'

const symbols = { done: CircleCheck, attention: TriangleAlert, failed: OctagonX }

interface ToneNoteProps {
  tone: keyof typeof symbols
  title: string
  children?: ReactNode
  ref?: Ref<HTMLDivElement>
}

export function ToneNote({ tone, title, children, ref }: ToneNoteProps) {
  const titleId = useId()
  const Symbol = symbols[tone]
  return (
    <div className={styles.toneNote} data-note={tone} role="alert" aria-labelledby={titleId} ref={ref} tabIndex={-1}>
      <p id={titleId} className={styles.toneNoteTitle}>
        <Symbol size={18} aria-hidden />
        {title}
      </p>
      {children}
    </div>
  )
}
