/** Shown where a list is empty: why, and what to do next. */
import { Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import styles from './parts.module.css'

export function EmptyState({ title, text, children }: { title: string; text: string; children?: ReactNode }) {
  return (
    <Stack className={styles.empty} align="center" gap="xs">
      <Title order={2} size="h4">
        {title}
      </Title>
      <Text c="dimmed" maw="60ch" ta="center">
        {text}
      </Text>
      {children}
    </Stack>
  )
}
