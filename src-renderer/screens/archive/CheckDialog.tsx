/** The dialog for checks, which can be opened over any screen: the form with an estimate, then the progress of the check. The check
 *  continues when the dialog is closed, and is shown again when it is opened. */
import { Button, Group, Stack, Text } from '@mantine/core'
import { useEffect, useState, type ReactNode } from 'react'
import { useStore } from 'zustand'
import type { CheckSummary } from '../../../src-main/contract/services/checks.ts'
import type { SpotCheckSummary } from '../../../src-main/contract/services/votes.ts'
import { Await } from '../../parts/Await.tsx'
import { FaultNote } from '../../parts/FaultNote.tsx'
import { FormDialog } from '../../parts/FormDialog.tsx'
import { useUnsavedScope } from '../../parts/unsaved.tsx'
import type { SpotAsked } from '../../state/archiveState.ts'
import { isRunning } from '../../state/checks.ts'
import type { Dialog } from '../../state/dialogs.ts'
import { valueOf } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { goTo } from '../../routes/routes.ts'
import type { CheckKindChosen } from './checkDraft.ts'
import { CheckForm } from './CheckForm.tsx'
import { CheckProgress } from './CheckProgress.tsx'
import { SpotFindings } from './SpotFindings.tsx'

const kinds: Partial<Record<Dialog, CheckKindChosen>> = {
  checkMissing: 'missing',
  checkChecksums: 'checksums',
  spotCheck: 'spot',
}

export function CheckDialog({ open, onClose }: { open: Dialog | null; onClose: () => void }) {
  const t = useWords()
  const kind = open === null ? undefined : kinds[open]
  return (
    <FormDialog opened={kind !== undefined} onClose={onClose} size={980} title={t('checkDialog.title')}>
      {kind && (
        <ClosedByLinks onClose={onClose}>
          <Body key={kind} kind={kind} onClose={onClose} />
        </ClosedByLinks>
      )}
    </FormDialog>
  )
}

/** Closes the dialog when a link in it leads to another screen. With unsaved input the window asks first, and closes it then. */
function ClosedByLinks({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  const inputs = useUnsavedScope()
  useEffect(() => {
    const close = () => {
      if (!inputs.isHeld()) onClose()
    }
    window.addEventListener('hashchange', close)
    return () => window.removeEventListener('hashchange', close)
  }, [inputs, onClose])
  return children
}

/** The form, or the progress and result of the check that it started. */
function Body({ kind, onClose }: { kind: CheckKindChosen; onClose: () => void }) {
  const { archive: store, dialogs } = useSession()
  const { status, checks, spot, load } = useStore(store)
  const { replica } = useStore(dialogs)
  const [begun, setBegun] = useState<CheckKindChosen | number | null>(() => goingOn(kind, valueOf(checks), spot))
  // A refusal from before the dialog was opened does not concern its input.
  useEffect(() => store.getState().forgetRefusal(), [store])
  const check = typeof begun === 'number' ? valueOf(checks)?.find((one) => one.task === begun) : undefined
  return (
    <Await of={status} onRetry={() => void load()}>
      {({ replicas }) => {
        if (check) return <Going check={check} onAnother={() => setBegun(null)} onClose={onClose} />
        if (begun === 'spot' && spot.is !== 'none')
          return <Asked spot={spot} onAnother={() => setBegun(null)} onClose={onClose} />
        return <CheckForm kind={kind} replica={replica} replicas={replicas} onBegun={setBegun} />
      }}
    </Await>
  )
}

/** The running check of this kind, whose progress the dialog shows instead of the form. */
function goingOn(
  kind: CheckKindChosen,
  checks: readonly CheckSummary[] | undefined,
  spot: SpotAsked,
): CheckKindChosen | number | null {
  if (kind === 'spot') return spot.is === 'asking' ? 'spot' : null
  return checks?.find((check) => check.kind === kind && isRunning(check))?.task ?? null
}

interface AfterProps {
  onAnother: () => void
  onClose: () => void
}

function Going({ check, onAnother, onClose }: AfterProps & { check: CheckSummary }) {
  const t = useWords()
  const { archive: store } = useSession()
  const { refusal } = useStore(store)
  function show(): void {
    void store.getState().choose(check.task)
    goTo({ place: 'archive', tab: 'replicas' })
    onClose()
  }
  return (
    <Stack gap="sm">
      <CheckProgress check={check} />
      {refusal && <FaultNote fault={refusal} />}
      {isRunning(check) && (
        <Text size="sm" c="dimmed">
          {t('checkDialog.goesOn')}
        </Text>
      )}
      <Group justify="end">
        <Button variant="default" onClick={onAnother}>
          {t('checkDialog.another')}
        </Button>
        <Button onClick={show}>{t('checkDialog.show')}</Button>
      </Group>
    </Stack>
  )
}

function Asked({ spot, onAnother, onClose }: AfterProps & { spot: Exclude<SpotAsked, { is: 'none' }> }) {
  const t = useWords()
  const { dialogs } = useSession()
  const isAlarming = spot.is === 'ready' && spot.value.files.some(({ verdict }) => isAlarm(verdict))
  return (
    <Stack gap="sm">
      {spot.is === 'asking' && (
        <>
          <Await of={{ is: 'loading' }} onRetry={onAnother}>
            {() => null}
          </Await>
          <Text role="status">{t('spot.asking', { files: spot.files })}</Text>
          <Text size="sm" c="dimmed">
            {t('spot.asking.text')}
          </Text>
        </>
      )}
      {spot.is === 'refused' && <FaultNote fault={spot.fault} />}
      {spot.is === 'ready' && <SpotResult found={spot.value} />}
      {spot.is !== 'asking' && (
        <Group justify="end">
          <Button variant="default" onClick={onAnother}>
            {t('checkDialog.another')}
          </Button>
          {isAlarming ? (
            <Button onClick={() => dialogs.getState().showCheck('checkChecksums', null)}>{t('spot.checksums')}</Button>
          ) : (
            <Button onClick={onClose}>{t('close')}</Button>
          )}
        </Group>
      )}
    </Stack>
  )
}

function SpotResult({ found: { task, files } }: { found: SpotCheckSummary }) {
  const t = useWords()
  const alarms = files.filter(({ verdict }) => isAlarm(verdict)).length
  const weak = files.filter(({ verdict }) => verdict === 'single' || verdict === 'none').length
  return (
    <>
      <Text role="status" fw={600}>
        {files.length === 0
          ? t('spot.none')
          : [
              ...(alarms > 0 ? [t('spot.alarm', { count: alarms })] : []),
              ...(weak > 0 ? [t('spot.weak', { count: weak })] : []),
              ...(alarms + weak === 0 ? [t('spot.allAgree', { files: files.length })] : []),
            ].join(' ')}
      </Text>
      {files.length > 0 && <SpotFindings label={t('spot.title', { number: task })} spots={files} />}
    </>
  )
}

function isAlarm(verdict: SpotCheckSummary['files'][number]['verdict']): boolean {
  return verdict === 'differ' || verdict === 'failed'
}
