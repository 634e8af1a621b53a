/** A part of a form that few people need: its name and one sentence, and the fields when it is opened. They are there all
 *  the time, so that what was typed stays and a complaint can open the part again. */
import type { ReactNode } from 'react'

interface FoldedPartProps {
  title: string
  /** What it is for. */
  text: string
  children: ReactNode
}

export function FoldedPart({ title, text, children }: FoldedPartProps) {
  return (
    <details className="folded-part">
      <summary>
        <span className="folded-part-title">{title}</span>
        <span className="dimmed">{text}</span>
      </summary>
      <fieldset aria-label={title}>{children}</fieldset>
    </details>
  )
}
