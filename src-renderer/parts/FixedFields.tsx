/** Fields that cannot be changed at the moment, with why: shown to be read, and not to be used. */
import { Lock } from 'lucide-react'
import { useId, useLayoutEffect, useRef, type ReactNode } from 'react'

interface FixedFieldsProps {
  /** A sentence; null: they can be changed. */
  why: string | null
  children: ReactNode
}

export function FixedFields({ why, children }: FixedFieldsProps) {
  const id = useId()
  const reason = useRef<HTMLParagraphElement>(null)
  const isFixed = why !== null
  const hasFocus = useRef(false)
  // Disabled fields lose the focus: it moves to the reason, so that users keep their place.
  useLayoutEffect(() => {
    if (isFixed && hasFocus.current) reason.current?.focus()
    hasFocus.current = false
  }, [isFixed])
  return (
    <fieldset
      disabled={isFixed}
      {...(isFixed && { 'aria-describedby': id })}
      onFocus={() => (hasFocus.current = true)}
      // A focus that is lost by disabling is still theirs.
      onBlur={({ currentTarget }) => (hasFocus.current = currentTarget.disabled)}
    >
      {isFixed && (
        <p ref={reason} id={id} className="fixed-why" tabIndex={-1}>
          <Lock size={14} aria-hidden />
          {why}
        </p>
      )}
      {children}
    </fieldset>
  )
}
