/** Imports archive files of other tools as a new job. Files are dropped or chosen, or their paths typed. In a browser dropped files are
 *  uploaded first; the dialog may be closed meanwhile, and shows the progress when it is opened again. */
import { Group, Modal, Stack, Text, Textarea } from '@mantine/core'
import { FileInput, Square } from 'lucide-react'
import type { SubmitEvent } from 'react'
import { useStore } from 'zustand'
import { showNotice } from '../../parts/notice.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { FaultNote } from '../../parts/FaultNote.tsx'
import { useFormats } from '../../parts/formats.ts'
import { Meter } from '../../parts/Meter.tsx'
import { useFormErrors } from '../../parts/useFormErrors.ts'
import { goingIn, linesIn, type Sending } from '../../state/basket.ts'
import { rateOf, secondsLeft } from '../../state/pace.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { goTo } from '../../routes/routes.ts'
import { DropZone } from './DropZone.tsx'
import { GatheredList } from './GatheredList.tsx'

export function ImportDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const t = useWords()
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size={720}
      title={t('import.title')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <ImportForm />
    </Modal>
  )
}

function ImportForm() {
  const t = useWords()
  const { basket, dialogs, jobs, shell } = useSession()
  const state = useStore(basket)
  const { starting, sending, refusal, skipped, typed, type, start } = state
  const hasTyped = linesIn(typed).length > 0
  const problem = hasTyped || goingIn(state).length > 0 ? null : t('import.none')
  // A refusal of dropped or chosen files belongs to no field.
  const errors = useFormErrors({ paths: problem }, hasTyped ? refusal : null)
  const note = hasTyped ? errors.note : refusal

  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    if (starting || !errors.isComplete()) return
    const job = await start()
    const { open, show, close } = dialogs.getState()
    if (job !== null) void jobs.getState().load()
    // Users who have closed the dialog meanwhile only get a notification.
    if (job === null) {
      const { refusal: fault } = basket.getState()
      if (fault) {
        show('import')
        errors.leadTo(fault)
      }
    } else if (open === 'import') {
      close()
      goTo({ place: 'job', job })
    } else showNotice({ message: t('import.begun', { job }) })
  }

  return (
    <form ref={errors.form} onSubmit={(event) => void submit(event)} noValidate aria-label={t('import.title')}>
      <Stack>
        <Text size="sm">{t('import.text')}</Text>
        <fieldset disabled={starting}>
          <Stack>
            <DropZone />
            <GatheredList />
            {skipped > 0 && <Text size="sm">{t('import.skipped', { count: skipped })}</Text>}
            <Textarea
              {...errors.control('paths')}
              label={t('import.paths')}
              description={t(shell.files.are === 'paths' ? 'import.paths.hint' : 'import.paths.hint.browser')}
              classNames={{ input: 'mono' }}
              autosize
              minRows={2}
              maxRows={8}
              spellCheck={false}
              value={typed}
              onChange={(event) => type(event.currentTarget.value)}
            />
          </Stack>
        </fieldset>
        {note && <FaultNote fault={note} />}
        {sending ? <HandingOver sending={sending} /> : <ImportEnd />}
      </Stack>
    </form>
  )
}

/** Content of the import, and the button that starts it. */
function ImportEnd() {
  const t = useWords()
  const { basket } = useSession()
  const { bytes } = useFormats()
  const state = useStore(basket)
  const going = goingIn(state)
  const paths = linesIn(state.typed).length
  const count = going.length + paths
  const size = going.reduce((sum, one) => sum + (one.bytes ?? 0), 0)
  const isSizeKnown = paths === 0 && going.every((one) => one.bytes !== null)
  return (
    <Group justify="space-between">
      <Text size="sm" c="dimmed" role="status" className="tabular">
        {count === 0
          ? ''
          : isSizeKnown
            ? t('import.going.size', { count, size: bytes(size) })
            : t('import.going', { count })}
      </Text>
      <ActionButton
        type="submit"
        onClick={() => undefined}
        why={state.starting ? t('import.running') : null}
        leftSection={<FileInput size={16} aria-hidden />}
      >
        {t('import.start')}
      </ActionButton>
    </Group>
  )
}

function HandingOver({ sending }: { sending: Sending }) {
  const t = useWords()
  const { basket } = useSession()
  return (
    <div className="card">
      <HandOverMeter sending={sending} />
      <Group justify="space-between" mt="sm" wrap="nowrap">
        <Text size="sm" c="dimmed" className="wrap">
          {t('import.sending.now', { name: sending.name })}
        </Text>
        <ActionButton
          variant="default"
          size="xs"
          leftSection={<Square size={14} aria-hidden />}
          onClick={() => basket.getState().stop()}
        >
          {t('import.stop')}
        </ActionButton>
      </Group>
    </div>
  )
}

export function HandOverMeter({ sending }: { sending: Sending }) {
  const t = useWords()
  const { bytes, bytesPerSecond, duration } = useFormats()
  const rate = rateOf(sending.samples)
  const left = secondsLeft(sending.samples, sending.bytesTotal)
  const parts = [
    t('task.bytesDone', { done: bytes(sending.bytesDone), total: bytes(sending.bytesTotal) }),
    ...(rate === undefined ? [] : [bytesPerSecond(rate)]),
    ...(left === undefined ? [] : [t('task.left', { time: duration(left) })]),
  ]
  return (
    <Meter name={t('import.sending')} done={sending.bytesDone} total={sending.bytesTotal} text={parts.join(' · ')} />
  )
}
