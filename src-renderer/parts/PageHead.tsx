/** The top of a screen: its title, a badge or other element next to the title, and actions. */
import { Group, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useWindowTitle } from './windowTitle.ts'

interface PageHeadProps {
  title: string
  aside?: ReactNode
  actions?: ReactNode
}

export function PageHead({ title, aside, actions }: PageHeadProps) {
  useWindowTitle(title)
  return (
    <Group className="page-head" justify="space-between" gap="md">
      <Group gap="sm" wrap="nowrap" miw={0}>
        <Title order={1} size="h2" className="page-title">
          {title}
        </Title>
        {aside}
      </Group>
      {actions && <Group gap="xs">{actions}</Group>}
    </Group>
  )
}
