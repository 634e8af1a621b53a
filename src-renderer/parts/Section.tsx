/** A part of a screen with its own heading, which can be reached by heading and by landmark. */
import { Group, Title } from '@mantine/core'
import { useId, type ReactNode } from 'react'

export function Section({ title, actions, children }: { title: string; actions?: ReactNode; children: ReactNode }) {
  const headingId = useId()
  return (
    <section className="section" aria-labelledby={headingId}>
      <Group justify="space-between" mb="xs" gap="xs">
        <Title id={headingId} order={2} size="h4">
          {title}
        </Title>
        {actions}
      </Group>
      {children}
    </section>
  )
}
