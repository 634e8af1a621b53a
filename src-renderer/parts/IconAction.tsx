/** A button with a symbol only. Its name is its accessible name and its tooltip; so is the reason while it is disabled. */
import { ActionIcon, Tooltip } from '@mantine/core'
import type { LucideIcon } from 'lucide-react'
import type { CallName } from '../state/callerRoles.ts'
import { useMay } from './useMay.ts'

export function IconAction(props: {
  name: string
  icon: LucideIcon
  onClick: () => void
  why?: string | null | undefined
  /** The call that it makes, or that what it opens makes: it is disabled where the account may not make it. */
  needs?: CallName | undefined
}) {
  const { name, icon: Icon, onClick, needs } = props
  const why = useMay().why(needs) ?? props.why
  return (
    <Tooltip label={why ? `${name} – ${why}` : name}>
      <ActionIcon
        aria-label={name}
        size="lg"
        variant="subtle"
        color="gray"
        {...(why ? { 'aria-disabled': true, 'data-disabled': true, 'aria-description': why } : {})}
        onClick={(event) => (why ? event.preventDefault() : onClick())}
      >
        <Icon size={18} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}

/** The same for a link, so that it can be opened in a new tab or window. Without an address it cannot be followed, and `why` gives the
 *  reason. */
export function IconLink({
  href,
  why,
  ...props
}: {
  name: string
  icon: LucideIcon
  href: string | undefined
  why: string
}) {
  const { name, icon: Icon } = props
  if (href === undefined) return <IconAction {...props} why={why} onClick={() => undefined} />
  return (
    <Tooltip label={name}>
      <ActionIcon component="a" href={href} aria-label={name} size="lg" variant="subtle" color="gray">
        <Icon size={18} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}
