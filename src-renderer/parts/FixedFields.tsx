/** Fields that cannot be changed at the moment, with why: shown to be read, and not to be used. */
import { Lock } from 'lucide-react'
import { useId, type ReactNode } from 'react'

interface FixedFieldsProps {
  /** A sentence; null: they can be changed. */
  why: string | null
  children: ReactNode
}

export function FixedFields({ why, children }: FixedFieldsProps) {
  const id = useId()
  return (
    <fieldset disabled={why !== null} {...(why !== null && { 'aria-describedby': id })}>
      {why !== null && (
        <p id={id} className="fixed-why">
          <Lock size={14} aria-hidden />
          {why}
        </p>
      )}
      {children}
    </fieldset>
  )
}
