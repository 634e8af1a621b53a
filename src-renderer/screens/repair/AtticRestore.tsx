/** Restores the content of an entry as a new file, under another name. */
import { Button, Group, Modal, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { AtticEntry } from '../../../src-main/contract/services/attic.ts'
import type { Loupe } from '../../../src-main/contract/contract.ts'
import type { Fault } from '../../../src-main/contract/calls/faults.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { FaultNote } from '../../parts/FaultNote.tsx'
import { UnsavedScope, useGuardedClose, useUnsaved } from '../../parts/unsaved.tsx'
import { useFormErrors } from '../../parts/useFormErrors.ts'
import { faultFrom } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { hrefOf } from '../../routes/routes.ts'
import { ToneNote } from '../../parts/ToneNote.tsx'

type Restored = Awaited<ReturnType<Loupe['archive']['restoreFromAttic']>>

export function AtticRestore({ entry, onClose }: { entry: AtticEntry | null; onClose: () => void }) {
  const t = useWords()
  const { inputs, close } = useGuardedClose(onClose)
  return (
    <Modal
      opened={entry !== null}
      onClose={close}
      title={entry && t('attic.restore.title', { id: entry.id })}
      size={620}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <UnsavedScope inputs={inputs}>{entry && <Body key={entry.id} entry={entry} onClose={close} />}</UnsavedScope>
    </Modal>
  )
}

function Body({ entry: { id, name }, onClose }: { entry: AtticEntry; onClose: () => void }) {
  const t = useWords()
  const { services, repairs } = useSession()
  const [as, setAs] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<Restored | null>(null)
  const [fault, setFault] = useState<Fault | null>(null)
  const errors = useFormErrors({ as: null }, fault)
  useUnsaved(as !== '' && outcome?.state !== 'stored')

  async function restore(): Promise<void> {
    setBusy(true)
    setFault(null)
    setOutcome(null)
    const wanted = as.trim()
    try {
      setOutcome(await services.archive.restoreFromAttic({ id, ...(wanted === '' ? {} : { as: wanted }) }))
    } catch (error) {
      const refusal = faultFrom(error)
      setFault(refusal)
      errors.leadTo(refusal)
    }
    setBusy(false)
    await repairs.getState().load()
  }

  return (
    <form
      ref={errors.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (!isBusy && outcome?.state !== 'stored') void restore()
      }}
    >
      <Stack>
        <p className="wrap">{t('attic.restore.text', { name })}</p>
        {outcome?.state !== 'stored' && (
          <TextInput
            {...errors.control('as')}
            data-autofocus
            label={t('attic.restore.name')}
            description={t('attic.restore.name.text')}
            value={as}
            onChange={(event) => {
              setAs(event.currentTarget.value)
              setFault(null)
            }}
          />
        )}
        {errors.note && <FaultNote fault={errors.note} />}
        {outcome && <Outcome outcome={outcome} />}
        <Group justify="end">
          <Button variant="default" onClick={onClose}>
            {t('close')}
          </Button>
          {outcome?.state !== 'stored' && (
            <ActionButton type="submit" why={isBusy ? t('attic.restore.busy') : null} onClick={() => undefined}>
              {t('attic.restore.verb')}
            </ActionButton>
          )}
        </Group>
        <div role="status">{isBusy && t('attic.restore.busy')}</div>
      </Stack>
    </form>
  )
}

function Outcome({ outcome: { name, state, problems } }: { outcome: Restored }) {
  const t = useWords()
  if (state === 'stored')
    return (
      <ToneNote tone="done" title={t('attic.restore.stored', { name })}>
        {t('attic.restore.stored.text')} <a href={hrefOf({ place: 'file', file: name })}>{name}</a>
      </ToneNote>
    )
  return (
    <ToneNote tone="failed" title={t('attic.restore.failed', { name })}>
      <ul>
        {problems.map(({ replica, problem }) => (
          <li key={replica}>{t('attic.restore.problem', { replica, problem: t(problem) })}</li>
        ))}
      </ul>
    </ToneNote>
  )
}
