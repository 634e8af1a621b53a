/** A fault: what happened, what to do, and a button to try again where that can help. */
import { Alert, Button, Group, Text } from '@mantine/core'
import { OctagonX } from 'lucide-react'
import { faults, type Fault } from '../../src-main/contract/calls/faults.ts'
import { useWords } from '../words/words.tsx'
import { faultText } from '../words/language.ts'

export function FaultNote({ fault, onRetry }: { fault: Fault; onRetry?: (() => void) | undefined }) {
  const t = useWords()
  return (
    <Alert color="red" role="alert" icon={<OctagonX aria-hidden />} title={t(`fault.${fault.code}`)}>
      <Group justify="space-between" align="end">
        <Text size="sm">{faultText(fault)}</Text>
        {onRetry && faults[fault.code].retry && (
          <Button size="xs" variant="default" onClick={onRetry}>
            {t('fault.retry')}
          </Button>
        )}
      </Group>
    </Alert>
  )
}
