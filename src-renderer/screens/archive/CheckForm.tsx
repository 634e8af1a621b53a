/** Form of a check: type, replicas and files, with an explanation of each type and an estimate. */
import { Group, Radio, SegmentedControl, Select, Stack, Text, TextInput } from '@mantine/core'
import { ShieldCheck } from 'lucide-react'
import { useState, type SubmitEvent } from 'react'
import { useStore } from 'zustand'
import type { ReplicaState } from '../../../src-main/contract/services/replicas.ts'
import { patternProblem } from '../../../src-main/contract/shapes/pattern.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { Facts } from '../../parts/Facts.tsx'
import { FaultNote } from '../../parts/FaultNote.tsx'
import { LinkButton } from '../../parts/LinkButton.tsx'
import { useUnsaved } from '../../parts/unsaved.tsx'
import { useFormErrors } from '../../parts/useFormErrors.ts'
import { useSession, type Session } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { hrefOf } from '../../routes/routes.ts'
import {
  checkExtents,
  checkKinds,
  problemOf,
  requestOf,
  usualCheck,
  type CheckDraft,
  type CheckField,
  type CheckKindChosen,
} from './checkDraft.ts'
import { useEstimate, useSpeed, type Estimated } from './checkEstimate.ts'
import { useObstacles } from './checkObstacles.ts'
import styles from './archive.module.css'

interface CheckFormProps {
  kind: CheckKindChosen
  /** Initially selected replica; null: all. */
  replica: string | null
  replicas: readonly ReplicaState[]
  /** Called with what was started: the number of a check, or a spot check. */
  onBegun: (begun: number | 'spot') => void
}

export function CheckForm({ kind, replica, replicas, onBegun }: CheckFormProps) {
  const t = useWords()
  const { archive: store } = useSession()
  const { refusal } = useStore(store)
  const [before] = useState<CheckDraft>({ ...usualCheck, kind, replica })
  const [draft, setDraft] = useState(before)
  const change = (changes: Partial<CheckDraft>) => {
    setDraft((earlier) => ({ ...earlier, ...changes }))
    store.getState().forgetRefusal()
  }
  const estimated = useEstimate(draft, replicas)
  const { field, wrong, why } = useObstacles(draft, replicas, estimated)
  const errors = useFormErrors(
    { files: null, sample: null, spotFiles: null, ...(field && { [field]: wrong }) },
    refusal,
  )
  useUnsaved(JSON.stringify(draft) !== JSON.stringify(before))

  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    if (why !== null || !errors.isComplete()) return
    const begun = await begin(store, draft)
    if (begun !== undefined) return onBegun(begun)
    const { refusal: fault } = store.getState()
    if (fault) errors.leadTo(fault)
  }

  return (
    <form ref={errors.form} onSubmit={(event) => void submit(event)} noValidate aria-label={t('checkDialog.title')}>
      <Stack>
        <KindChoice chosen={draft.kind} initial={kind} onChange={change} />
        {draft.kind === 'spot' ? (
          <TextInput
            {...errors.control('spotFiles')}
            {...(problemOf(draft) && { error: wrong })}
            label={t('checkDialog.spotFiles')}
            description={t('checkDialog.spotFiles.hint')}
            inputMode="numeric"
            maw={420}
            value={draft.spotFiles}
            onChange={(event) => change({ spotFiles: event.currentTarget.value })}
          />
        ) : (
          <Chosen draft={draft} change={change} replicas={replicas} estimated={estimated} control={errors.control} />
        )}
        <Amount draft={draft} estimated={estimated} />
        {errors.note && <FaultNote fault={errors.note} />}
        <Group justify="end">
          <ActionButton
            needs="archive.check"
            type="submit"
            leftSection={<ShieldCheck size={16} aria-hidden />}
            why={why}
            onClick={() => undefined}
          >
            {t('checkDialog.begin')}
          </ActionButton>
        </Group>
      </Stack>
    </form>
  )
}

/** Returns what was started; undefined when it was refused. A spot check reports its end in the store. */
async function begin(store: Session['archive'], draft: CheckDraft): Promise<number | 'spot' | undefined> {
  const request = requestOf(draft)
  if (request !== null) return (await store.getState().check(request))?.task
  void store.getState().spotCheck(Number(draft.spotFiles))
  return 'spot'
}

interface KindChoiceProps {
  chosen: CheckKindChosen
  /** Has the focus when the form is opened. */
  initial: CheckKindChosen
  onChange: (changes: Partial<CheckDraft>) => void
}

function KindChoice({ chosen, initial, onChange }: KindChoiceProps) {
  const t = useWords()
  return (
    <Radio.Group
      label={t('checkDialog.kind')}
      value={chosen}
      onChange={(value) => onChange({ kind: checkKinds.find((name) => name === value) ?? chosen })}
    >
      <Stack gap="sm" mt={6}>
        {checkKinds.map((name) => (
          <Radio
            key={name}
            value={name}
            {...(name === initial ? { 'data-autofocus': true } : {})}
            label={t(`checkDialog.kind.${name}`)}
            description={t(`checkDialog.kind.${name}.text`)}
          />
        ))}
      </Stack>
    </Radio.Group>
  )
}

interface ChosenProps {
  draft: CheckDraft
  change: (changes: Partial<CheckDraft>) => void
  replicas: readonly ReplicaState[]
  estimated: Estimated
  control: (field: CheckField) => object
}

/** Choice of replicas and files. */
function Chosen({ draft, change, replicas, estimated, control }: ChosenProps) {
  const t = useWords()
  const problem = problemOf(draft)
  const wrong = patternProblem(draft.pattern.trim())
  return (
    <>
      <Group align="end" gap="md">
        <Select
          label={t('checkDialog.replica')}
          w={260}
          allowDeselect={false}
          // Names of replicas have only letters, digits, _ and -, so none can be equal to this value.
          data={[
            { value: '*', label: t('checkDialog.replica.all') },
            ...replicas.map(({ replica, reachable }) => ({
              value: replica,
              label: reachable ? replica : t('checkDialog.replica.away', { replica }),
            })),
          ]}
          value={draft.replica ?? '*'}
          onChange={(value) => change({ replica: value === '*' ? null : value })}
        />
        <div>
          <Text size="sm" fw={600} mb={4} id="check-extent">
            {t('checkDialog.extent')}
          </Text>
          <SegmentedControl
            aria-labelledby="check-extent"
            value={draft.extent}
            data={checkExtents.map((extent) => ({ value: extent, label: t(`checkDialog.extent.${extent}`) }))}
            onChange={(value) => change({ extent: checkExtents.find((name) => name === value) ?? draft.extent })}
          />
        </div>
      </Group>
      {draft.extent === 'pattern' && (
        <div>
          <TextInput
            {...control('files')}
            {...(problem === 'wrongPattern' && { error: wrong && t(wrong) })}
            label={t('checkDialog.pattern')}
            description={t('checkDialog.pattern.hint')}
            classNames={{ input: 'mono' }}
            spellCheck={false}
            value={draft.pattern}
            onChange={(event) => change({ pattern: event.currentTarget.value })}
          />
          {estimated.estimate && (
            <Text size="sm" mt={4} role="status" className="wrap">
              {t('checkDialog.pattern.means', {
                of: estimated.estimate.of,
                names: estimated.estimate.names.join(', '),
              })}
            </Text>
          )}
        </div>
      )}
      {draft.extent === 'sample' && (
        <TextInput
          {...control('sample')}
          {...(problem && { error: t(`checkDialog.problem.${problem}`) })}
          label={t('checkDialog.sample')}
          description={t('checkDialog.sample.hint')}
          inputMode="numeric"
          maw={420}
          value={draft.sample}
          onChange={(event) => change({ sample: event.currentTarget.value })}
        />
      )}
    </>
  )
}

/** Estimate of size and duration, and the speed limit. */
function Amount({ draft, estimated }: { draft: CheckDraft; estimated: Estimated }) {
  const t = useWords()
  const { dialogs } = useSession()
  const settings = hrefOf({ place: 'settings' })
  const speed = useSpeed()
  return (
    <div className={`card ${styles.checkAmount}`}>
      <Facts
        facts={[
          { name: t('checkDialog.estimate'), value: <span role="status">{estimated.text}</span> },
          {
            name: t('checkDialog.speed'),
            value: (
              <>
                {draft.kind === 'missing' ? t('checkDialog.speed.none') : speed.text}{' '}
                {draft.kind !== 'missing' && (
                  <LinkButton
                    needs="settings.set"
                    size="compact-xs"
                    variant="default"
                    href={settings}
                    onClick={() => window.location.hash === settings && dialogs.getState().close()}
                  >
                    {t('checkDialog.speed.change')}
                  </LinkButton>
                )}
              </>
            ),
          },
        ]}
      />
    </div>
  )
}
