/** A part of a form that few people need: its name and one sentence, and the fields when it is opened. They are there all
 *  the time, so that what was typed stays and a complaint can open the part again. */
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
