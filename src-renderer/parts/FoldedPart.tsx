/** A part of a form that few users need: its name and one sentence, with the fields shown when it is opened. The fields are always
 *  rendered, so that typed input stays and an error can open the part again. */
import type { ReactNode } from 'react'
import styles from './parts.module.css'

interface FoldedPartProps {
  title: string
  /** Purpose of the part, in one sentence. */
  text: string
  children: ReactNode
}

export function FoldedPart({ title, text, children }: FoldedPartProps) {
  return (
    <details className={styles.foldedPart}>
      <summary>
        <span className={styles.foldedPartTitle}>{title}</span>
        <span className="dimmed">{text}</span>
      </summary>
      <fieldset aria-label={title}>{children}</fieldset>
    </details>
  )
}
