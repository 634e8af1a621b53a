/** Writes a delivery plan as TOML: checked and drawn while it is typed, and saved as a new plan or a new version. */
import { Button, Group, Stack, Textarea } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { Square } from 'lucide-react'
import { useCallback, useEffect, useMemo, useRef, useState, type KeyboardEvent, type SubmitEvent } from 'react'
import { useStore } from 'zustand'
import type { DeliveryPlanRow } from '../../../src-main/contract/services/deliveries.ts'
import { Await } from '../../parts/Await.tsx'
import { FaultNote } from '../../parts/FaultNote.tsx'
import { FormEnd } from '../../parts/FormEnd.tsx'
import { showNotice } from '../../parts/notice.ts'
import { PageHead } from '../../parts/PageHead.tsx'
import { TextFileButton } from '../../parts/TextFileButton.tsx'
import { typingPauseMs } from '../../parts/typing.ts'
import { useUnsaved } from '../../parts/unsaved.tsx'
import { useChanges } from '../../parts/useChanges.ts'
import { useLoaded } from '../../parts/useLoaded.ts'
import { useSending } from '../../parts/useSending.ts'
import { goTo, hrefOf } from '../../routes/routes.ts'
import { valueOf } from '../../state/loaded.ts'
import { makePlanChecks, type PlanChecksState } from '../../state/planChecks.ts'
import { useSession } from '../../state/session.tsx'
import { useWords, type Translate } from '../../words/words.tsx'
import { DraftDrawing } from './DraftDrawing.tsx'
import { PlanFindings } from './PlanFindings.tsx'
import { MigrationDialog, type Migration } from './MigrationDialog.tsx'
import { useStop } from './useStop.ts'
import styles from './plans.module.css'

/** The editor of a plan that exists. */
export function EditPlanScreen({ plan }: { plan: string }) {
  const t = useWords()
  const { services } = useSession()
  const ask = useCallback(async () => {
    const shown = await services.deliveries.show({ name: plan })
    // While an older version runs, the newest one is the one to go on from.
    return shown.version === shown.newest ? shown : services.deliveries.show({ name: plan, version: shown.newest })
  }, [services, plan])
  const [details, reload] = useLoaded(ask)
  return (
    <>
      <a className="dimmed" href={hrefOf({ place: 'plan', plan })}>
        {t('planEditor.back', { name: plan })}
      </a>
      <PageHead title={t('planEditor.edit', { name: plan })} />
      <Await of={details} onRetry={reload}>
        {({ toml }) => <PlanEditor opened={toml} isNew={false} />}
      </Await>
    </>
  )
}

/** The editor of a new plan, which begins with an example. */
export function NewPlanScreen() {
  const t = useWords()
  const { jobs: jobStore } = useSession()
  const { jobs } = useStore(jobStore)
  return (
    <>
      <a className="dimmed" href={hrefOf({ place: 'plans' })}>
        {t('plan.all')}
      </a>
      <PageHead title={t('planEditor.new')} />
      <Await of={jobs} onRetry={() => void jobStore.getState().load()}>
        {([newest]) => <PlanEditor opened={t('planEditor.template', { job: String(newest?.job ?? 1) })} isNew />}
      </Await>
    </>
  )
}

function PlanEditor({ opened: given, isNew }: { opened: string; isNew: boolean }) {
  const t = useWords()
  const { services } = useSession()
  // The text stays what the user writes, whatever is loaded meanwhile.
  const [opened] = useState(given)
  const [toml, setToml] = useState(opened)
  const [settled] = useDebouncedValue(toml, typingPauseMs)
  const store = useMemo(() => makePlanChecks(services), [services])
  const checks = useStore(store)
  const { check } = checks
  useEffect(() => void check(settled), [check, settled])
  const [plans, reload] = useLoaded(useCallback(() => services.deliveries.list({}), [services]))
  useChanges(services.deliveries.changed, reload)
  const stop = useStop()
  const { isSending, refusal, forget, send } = useSending()
  const isChanged = toml !== opened
  const saved = useUnsaved(isChanged)
  const [asked, setAsked] = useState<DeliveryPlanRow | null>(null)
  const form = useRef<HTMLFormElement>(null)
  const known = planNamed(valueOf(plans), checks.checked?.plan?.name)
  const isKnown = plans.is === 'ready'
  const why = isSending
    ? t('schedule.saving')
    : whyNot(t, { checks, toml, isChanged: isChanged || isNew, isKnown, known })

  async function save(migration: Migration): Promise<void> {
    setAsked(null)
    const fault = await send(async () => {
      const { name, version } = await services.deliveries.save({ toml, migration })
      saved()
      showNotice({ message: t('planEditor.saved', { name, version }) })
      goTo({ place: 'plan', plan: name })
    })
    if (fault) form.current?.querySelector('textarea')?.focus()
  }
  function submit(event: SubmitEvent): void {
    event.preventDefault()
    if (why !== null) return
    if (known) setAsked(known)
    else void save('keep')
  }
  const change = (text: string) => {
    setToml(text)
    forget()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.current?.requestSubmit()
  }

  return (
    <form ref={form} onSubmit={submit} noValidate aria-label={t('planEditor.toml')}>
      <div className={styles.editor}>
        <Stack>
          <Textarea
            label={t('planEditor.toml')}
            description={t('planEditor.hint')}
            classNames={{ input: 'mono' }}
            spellCheck={false}
            autosize
            minRows={18}
            maxRows={22}
            value={toml}
            onKeyDown={onKeyDown}
            onChange={(event) => change(event.currentTarget.value)}
          />
          {checks.fault && <FaultNote fault={checks.fault} onRetry={() => void check(toml)} />}
          {plans.is === 'refused' && <FaultNote fault={plans.fault} onRetry={reload} />}
          <PlanFindings checked={checks.checked} />
          <FormEnd
            needs="deliveries.save"
            refusal={refusal}
            verb={t(known ? 'planEditor.save' : 'planEditor.saveNew')}
            why={why}
            aside={
              <Group gap="xs">
                <TextFileButton accept=".toml,text/plain" onText={change}>
                  {t('planEditor.upload')}
                </TextFileButton>
                {known && known.run !== 'stopped' && (
                  <Button
                    variant="default"
                    leftSection={<Square size={16} aria-hidden />}
                    onClick={() => void stop(known.name)}
                  >
                    {t('plans.stop.of', { name: known.name })}
                  </Button>
                )}
              </Group>
            }
          />
        </Stack>
        <DraftDrawing
          drawn={checks.drawn}
          isCurrent={checks.checked?.toml === toml && checks.checked.faults.length === 0}
        />
      </div>
      <MigrationDialog before={asked} onSave={(migration) => void save(migration)} onClose={() => setAsked(null)} />
    </form>
  )
}

/** Names are compared without the case of ASCII letters, as the engine does. */
function planNamed(plans: readonly DeliveryPlanRow[] = [], name?: string): DeliveryPlanRow | undefined {
  return plans.find((plan) => plan.name.toLowerCase() === name?.toLowerCase())
}

interface SavedAs {
  checks: PlanChecksState
  toml: string
  isChanged: boolean
  /** Whether the names of plans are known. */
  isKnown: boolean
  known: DeliveryPlanRow | undefined
}

/** Returns why the text cannot be saved now. */
function whyNot(t: Translate, { checks: { checked }, toml, isChanged, isKnown, known }: SavedAs): string | null {
  if (!isChanged) return t('planEditor.unchanged')
  if (checked?.toml !== toml || !isKnown) return t('planEditor.checking')
  if (checked.faults.length > 0) return t('planEditor.faulty')
  return known && known.run !== 'stopped' ? t('planEditor.runs', { name: known.name }) : null
}
