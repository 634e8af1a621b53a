/** A button that collects data and saves it as a file. Collecting may take a while: it shows the progress, what was left out, or why it
 *  failed. */
import { Button, Group, Text } from '@mantine/core'
import { Download } from 'lucide-react'
import { useState } from 'react'
import type { Fault } from '../../src-main/contract/calls/faults.ts'
import { faultFrom } from '../state/loaded.ts'
import { useWords } from '../words/words.tsx'
import { FaultNote } from './FaultNote.tsx'

interface SaveActionProps {
  /** Text of the button; by default "Save as CSV". */
  text?: string
  /** Accessible name, where a screen has several of these buttons. */
  label?: string
  /** Collects and saves. `setStatus` sets the status text, and the last one stays. Throws the `Fault` of the engine. */
  onSave: (setStatus: (text: string) => void) => Promise<void>
}

export function SaveAction({ text, label, onSave }: SaveActionProps) {
  const t = useWords()
  const [status, setStatus] = useState('')
  const [saving, setSaving] = useState(false)
  const [refusal, setRefusal] = useState<Fault | null>(null)

  async function save(): Promise<void> {
    setSaving(true)
    setRefusal(null)
    setStatus('')
    try {
      await onSave(setStatus)
    } catch (error) {
      setStatus('')
      setRefusal(faultFrom(error))
    } finally {
      setSaving(false)
    }
  }

  return (
    <Group gap="sm">
      {refusal && <FaultNote fault={refusal} />}
      <Text size="sm" c="dimmed" role="status">
        {status}
      </Text>
      <Button
        size="xs"
        variant="default"
        loading={saving}
        {...(label === undefined ? {} : { 'aria-label': label })}
        leftSection={<Download size={14} aria-hidden />}
        onClick={() => void save()}
      >
        {text ?? t('table.export')}
      </Button>
    </Group>
  )
}
