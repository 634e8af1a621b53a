/** A button that explains why it is disabled. It stays in the tab order then, so that users who cannot see that it is grey can reach it and
 *  get the reason. */
import { Button, Tooltip, type ButtonProps } from '@mantine/core'
import type { MouseEventHandler, ReactNode } from 'react'
import type { CallName } from '../state/callerRoles.ts'
import { useMay } from './useMay.ts'

interface ActionButtonProps extends Omit<ButtonProps, 'disabled'> {
  children: ReactNode
  onClick: MouseEventHandler<HTMLButtonElement>
  /** The reason why it is disabled; absent or null where it is enabled. */
  why?: string | null | undefined
  /** The call that it makes, or that what it opens makes: it is disabled where the account may not make it. */
  needs?: CallName | undefined
  type?: 'button' | 'submit'
}

export function ActionButton({ why: hindered, needs, onClick, children, type = 'button', ...rest }: ActionButtonProps) {
  const why = useMay().why(needs) ?? hindered
  const button = (
    <Button
      {...rest}
      type={type}
      {...(why ? { 'aria-disabled': true, 'data-disabled': true, 'aria-description': why } : {})}
      onClick={(event) => (why ? event.preventDefault() : onClick(event))}
    >
      {children}
    </Button>
  )
  return why ? <Tooltip label={why}>{button}</Tooltip> : button
}
