/** Taking files that other tools made into a new job. The engine reads them where they are; nothing is uploaded, so paths
 *  of the engine's machine are asked for. */
import { Group, Modal, Stack, Text, Textarea } from '@mantine/core'
import { FileInput } from 'lucide-react'
import { useState, type SubmitEvent } from 'react'
import type { Fault } from '../../../src-main/contract/faults.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { FaultNote } from '../../parts/FaultNote.tsx'
import { faultFrom } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { goTo } from '../routes.ts'

export function ImportDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const say = useWords()
  const { services, jobs } = useSession()
  const [typed, setTyped] = useState('')
  const [importing, setImporting] = useState(false)
  const [refusal, setRefusal] = useState<Fault | null>(null)
  const paths = typed
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')

  async function start(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    if (paths.length === 0 || importing) return
    setImporting(true)
    setRefusal(null)
    try {
      const { job } = await services.harvests.import({ paths })
      void jobs.getState().load()
      onClose()
      goTo({ place: 'job', job })
    } catch (error) {
      setRefusal(faultFrom(error))
    } finally {
      setImporting(false)
    }
  }

  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size="lg"
      title={say('import.title')}
      closeButtonProps={{ 'aria-label': say('close') }}
    >
      <form onSubmit={(event) => void start(event)} aria-label={say('import.title')}>
        <Stack>
          <Text size="sm">{say('import.text')}</Text>
          <Textarea
            label={say('import.paths')}
            description={say('import.paths.hint')}
            classNames={{ input: 'mono' }}
            autosize
            minRows={3}
            spellCheck={false}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            data-autofocus
          />
          {refusal && <FaultNote fault={refusal} />}
          <Group justify="end">
            <ActionButton
              type="submit"
              onClick={() => undefined}
              why={importing ? say('import.running') : paths.length === 0 ? say('import.none') : null}
              leftSection={<FileInput size={16} aria-hidden />}
            >
              {say('import.start')}
            </ActionButton>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
