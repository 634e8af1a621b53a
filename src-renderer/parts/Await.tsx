/** Shows a value that is being loaded: a spinner, the fault, or the value. */
import { Group, Loader, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Loaded } from '../state/loaded.ts'
import { useWords } from '../words/words.tsx'
import { FaultNote } from './FaultNote.tsx'

interface AwaitProps<Value> {
  of: Loaded<Value>
  onRetry: () => void
  children: (value: Value) => ReactNode
}

export function Await<Value>({ of, onRetry, children }: AwaitProps<Value>) {
  const t = useWords()
  if (of.is === 'ready') return children(of.value)
  if (of.is === 'refused') return <FaultNote fault={of.fault} onRetry={onRetry} />
  return (
    <Group role="status" gap="sm" p="md">
      <Loader size="sm" aria-hidden />
      <Text c="dimmed">{t('loading')}</Text>
    </Group>
  )
}
