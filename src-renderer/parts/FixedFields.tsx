/** Fields that cannot be changed at the moment, with the reason. They are shown disabled, so that their values can be read. */
import { Lock } from 'lucide-react'
import { useId, useLayoutEffect, useRef, type ReactNode } from 'react'

interface FixedFieldsProps {
  /** The reason, as a sentence; null when the fields can be changed. */
  why: string | null
  children: ReactNode
}

export function FixedFields({ why, children }: FixedFieldsProps) {
  const id = useId()
  const reason = useRef<HTMLParagraphElement>(null)
  const isFixed = why !== null
  const hasFocus = useRef(false)
  // Disabled fields lose the focus. It moves to the reason, so that users keep their place.
  useLayoutEffect(() => {
    if (isFixed && hasFocus.current) reason.current?.focus()
    hasFocus.current = false
  }, [isFixed])
  return (
    <fieldset
      disabled={isFixed}
      {...(isFixed && { 'aria-describedby': id })}
      onFocus={() => (hasFocus.current = true)}
      // Remember that the focus was here when disabling a field took it away.
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
