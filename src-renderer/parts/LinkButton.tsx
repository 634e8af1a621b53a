/** A link that looks like a button. It leads to another screen and can be opened in a new tab or window like any link. While it cannot be
 *  followed it is a disabled button that gives the reason. */
import { Button, type ButtonProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { ActionButton } from './ActionButton.tsx'

interface LinkButtonProps extends ButtonProps {
  href: string
  why?: string | null | undefined
  /** Called when the link is followed in this window. */
  onClick?: () => void
  'aria-label'?: string
  children: ReactNode
}

export function LinkButton({ href, why, onClick, ...rest }: LinkButtonProps) {
  if (why) return <ActionButton {...rest} why={why} onClick={() => undefined} />
  return <Button {...rest} component="a" href={href} onClick={onClick} />
}
