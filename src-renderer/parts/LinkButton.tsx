/** A link that looks like a button. It leads to another screen and can be opened in a new tab or window like any link. While it cannot be
 *  followed it is a disabled button that gives the reason. */
import { Button, type ButtonProps } from '@mantine/core'
import type { ReactNode } from 'react'
import type { CallName } from '../state/callerRoles.ts'
import { ActionButton } from './ActionButton.tsx'
import { useMay } from './useMay.ts'

interface LinkButtonProps extends ButtonProps {
  href: string
  why?: string | null | undefined
  /** The call that the other screen is for. */
  needs?: CallName | undefined
  /** Called when the link is followed in this window. */
  onClick?: () => void
  'aria-label'?: string
  children: ReactNode
}

export function LinkButton({ href, why: hindered, needs, onClick, ...rest }: LinkButtonProps) {
  const why = useMay().why(needs) ?? hindered
  if (why) return <ActionButton {...rest} why={why} onClick={() => undefined} />
  return <Button {...rest} component="a" href={href} onClick={onClick} />
}
