/** The top of a screen: its name, what stands beside it, and what can be done here. */
import { Group, Title } from '@mantine/core'
import { useEffect, type ReactNode } from 'react'

interface PageHeadProps {
  title: string
  beside?: ReactNode
  actions?: ReactNode
}

export function PageHead({ title, beside, actions }: PageHeadProps) {
  useEffect(() => {
    document.title = `${title} – Loupe`
  }, [title])
  return (
    <Group className="page-head" justify="space-between" gap="md">
      <Group gap="sm" wrap="nowrap" miw={0}>
        <Title order={1} size="h2" className="page-title">
          {title}
        </Title>
        {beside}
      </Group>
      {actions && <Group gap="xs">{actions}</Group>}
    </Group>
  )
}
