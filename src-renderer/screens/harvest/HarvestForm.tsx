/** The form that defines a harvest. Every limit is optional and has a unit; every choice has an explanation. */
import { Alert, Group, NumberInput, Radio, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core'
import { Info, Rocket, Save } from 'lucide-react'
import { useState, type SubmitEvent } from 'react'
import type { RepositoryName } from '../../../src-main/contract/services/connectors.ts'
import { scopes } from '../../../src-main/contract/shapes/choices.ts'
import type { JobWhole } from '../../../src-main/contract/services/jobDetails.ts'
import type { Fault } from '../../../src-main/contract/calls/faults.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { AmountInput } from '../../parts/AmountInput.tsx'
import { FixedFields } from '../../parts/FixedFields.tsx'
import { FoldedPart } from '../../parts/FoldedPart.tsx'
import { FaultNote } from '../../parts/FaultNote.tsx'
import { useUnsaved } from '../../parts/unsaved.tsx'
import { useShownRefusal } from '../../parts/useShownRefusal.ts'
import { useConnectors } from '../../state/connectors.ts'
import { faultFrom, valueOf } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'
import { useWords, type WordId } from '../../words/words.tsx'
import { isAtRest } from '../jobs/jobWords.ts'
import { goTo } from '../../routes/routes.ts'
import { personZone } from '../schedule/personTimes.ts'
import { errorsOf } from './complaintWords.ts'
import { whyFixed } from './fixedInRun.ts'
import { controlOf } from './harvestControls.ts'
import { OutputChoice, RepositoryChoice, RepositorySettings } from './ConnectorPart.tsx'
import {
  byteUnits,
  complaintsOf,
  defined,
  draftOf,
  emptyDraft,
  inOrder,
  redefined,
  timeUnits,
  type Complaints,
  type HarvestDraft,
} from './harvestDraft.ts'
import { HopsPart } from './HopsPart.tsx'
import { LoginPart } from './LoginPart.tsx'
import { PolitenessPart } from './PolitenessPart.tsx'
import { RecheckPart } from './RecheckPart.tsx'
import { SchedulePart } from './SchedulePart.tsx'
import { ThrottlePart } from './ThrottlePart.tsx'
import styles from './harvest.module.css'

type NumberField = 'maxHops' | 'maxObjects' | 'maxBytes' | 'maxSeconds' | 'workers' | 'delayMs' | 'connectionsPerHost'
type TextField = 'seeds' | 'name' | 'include' | 'exclude' | 'userAgent' | 'resolve'

interface HarvestFormProps {
  /** The job whose definition is changed; absent: a new harvest is defined. */
  edited?: JobWhole | undefined
  onDone?: () => void
}

export function HarvestForm({ edited, onDone }: HarvestFormProps) {
  const t = useWords()
  const { services, jobs } = useSession()
  const [opened] = useState(edited?.definition)
  const [before] = useState(() => (opened ? draftOf(opened, personZone()) : emptyDraft))
  const [draft, setDraft] = useState(before)
  const saved = useUnsaved(JSON.stringify(draft) !== JSON.stringify(before))
  const [complaints, setComplaints] = useState<Complaints>({})
  const [refusal, setRefusal] = useState<Fault | null>(null)
  const [starting, setStarting] = useState(false)
  const { form, lead } = useShownRefusal()

  function change<Field extends keyof HarvestDraft>(field: Field, value: HarvestDraft[Field]): void {
    setDraft((earlier) => ({ ...earlier, [field]: value }))
    setComplaints(({ [field]: _mended, ...rest }) => rest)
  }

  function changeAmount<Field extends 'maxBytes' | 'maxSeconds'>(
    field: Field,
    amount: number | string,
    unit: HarvestDraft[`${Field}Unit`],
  ): void {
    change(field, amount)
    change(`${field}Unit`, unit)
  }

  async function start(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    const result =
      edited && opened ? redefined({ opened, now: edited.definition }, draft, personZone()) : defined(draft)
    setRefusal(null)
    if ('complaints' in result) return complain(result.complaints)
    setComplaints({})
    setStarting(true)
    try {
      const { job } = edited
        ? await services.harvests.edit({ job: edited.job, definition: result.definition })
        : await services.harvests.create(result.definition)
      saved()
      void jobs.getState().load()
      onDone?.()
      goTo({ place: 'job', job })
    } catch (error) {
      const fault = faultFrom(error)
      const refused = complaintsOf(fault, draft)
      // What stands next to its field is not said twice.
      if (inOrder(refused).length === 0) setRefusal(fault)
      complain(refused)
    } finally {
      setStarting(false)
    }
  }

  function complain(found: Complaints): void {
    setComplaints(found)
    lead(inOrder(found).map(({ path }) => controlOf(path)))
  }

  const errorOf = errorsOf(t, complaints)
  /** Null also where the part is another than it was: then the person must be able to take that back. */
  function fixedOf(partOf: (draft: HarvestDraft) => unknown, ...path: string[]): string | null {
    const isTouched = JSON.stringify(partOf(draft)) !== JSON.stringify(partOf(before))
    const why = isTouched || !edited ? undefined : whyFixed(edited.fixed, path)
    return why === undefined ? null : t('form.edit.fixed', { why })
  }
  const text = (field: TextField, label: WordId, description?: WordId) => ({
    'data-field': field,
    label: t(label),
    ...(description ? { description: t(description) } : {}),
    value: draft[field],
    onChange: (event: { currentTarget: { value: string } }) => change(field, event.currentTarget.value),
    ...errorOf(field),
  })
  const number = (field: NumberField, description?: WordId) => ({
    'data-field': field,
    label: t(`form.${field}`),
    ...(description ? { description: t(description) } : {}),
    placeholder: t(
      field === 'workers' || field === 'delayMs' || field === 'connectionsPerHost' ? 'form.asSet' : 'form.noLimit',
    ),
    value: draft[field],
    onChange: (value: number | string) => change(field, value),
    hideControls: true,
    ...errorOf(field),
  })

  const { repository } = draft.connectors
  const isFolder = repository === 'folder'
  const connectors = {
    draft: draft.connectors,
    connectors: valueOf(useConnectors().rows),
    errorOf,
    fixed: fixedOf((each) => each.connectors, 'connectors'),
    onChange: (changed: HarvestDraft['connectors']) => change('connectors', changed),
  }

  return (
    <form
      ref={form}
      onSubmit={(event) => void start(event)}
      noValidate
      aria-label={t(edited ? 'form.edit.form' : 'form.title')}
    >
      <Stack gap="lg">
        {edited && (
          <Alert color="blue" icon={<Info aria-hidden />}>
            {t(isAtRest(edited) ? 'form.edit.atRest' : 'form.edit.inRun')}
          </Alert>
        )}
        <RepositoryChoice {...connectors} />
        <Textarea
          {...text('seeds', seedsWords[repository].label, seedsWords[repository].hint)}
          required
          autosize
          minRows={3}
          maxRows={10}
          spellCheck={false}
          classNames={{ input: 'mono' }}
          data-autofocus
        />
        <RepositorySettings {...connectors} />
        <TextInput {...text('name', 'form.name', 'form.name.hint')} />
        {repository === 'web' && (
          <Radio.Group
            data-field="scope"
            {...errorOf('scope')}
            name="scope"
            label={t('form.scope')}
            value={draft.scope}
            onChange={(value) => change('scope', scopes.find((scope) => scope === value) ?? draft.scope)}
          >
            <Stack gap={6} mt={6}>
              {scopes.map((scope) => (
                <Radio
                  key={scope}
                  value={scope}
                  label={t(`scope.${scope}`)}
                  description={t(`scope.${scope}.meaning`)}
                />
              ))}
            </Stack>
          </Radio.Group>
        )}

        <fieldset>
          <legend>{t('form.limits')}</legend>
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
            {repository === 'web' && (
              <FixedFields why={fixedOf((each) => each.maxHops, 'maxHops')}>
                <NumberInput {...number('maxHops', 'form.maxHops.hint')} allowDecimal={false} />
              </FixedFields>
            )}
            <NumberInput {...number('maxObjects', 'form.maxObjects.hint')} allowDecimal={false} />
            <AmountInput
              {...number('maxBytes', 'form.maxBytes.hint')}
              amount={draft.maxBytes}
              unit={draft.maxBytesUnit}
              units={unitsOf(byteUnits, (unit) => unit)}
              unitLabel={t('unit.of', { field: t('form.maxBytes') })}
              onChange={(amount, unit) => changeAmount('maxBytes', amount, unit)}
            />
            <AmountInput
              {...number('maxSeconds', 'form.maxSeconds.hint')}
              amount={draft.maxSeconds}
              unit={draft.maxSecondsUnit}
              units={unitsOf(timeUnits, (unit) => t(`unit.${unit}`))}
              unitLabel={t('unit.of', { field: t('form.maxSeconds') })}
              onChange={(amount, unit) => changeAmount('maxSeconds', amount, unit)}
            />
          </SimpleGrid>
        </fieldset>

        <SchedulePart draft={draft.schedule} onChange={(schedule) => change('schedule', schedule)} />

        <div className={styles.foldedParts}>
          <RecheckPart
            draft={draft.recheck}
            errorOf={errorOf}
            fixed={fixedOf((each) => each.recheck.type, 'recheck', 'type')}
            onChange={(recheck) => change('recheck', recheck)}
          />
          <PolitenessPart
            robots={draft.robots}
            isFolder={isFolder}
            errorOf={errorOf}
            fixed={fixedOf((each) => each.robots, 'robots')}
            number={number}
            onRobots={(robots) => change('robots', robots)}
          />
          {!isFolder && (
            <>
              <ThrottlePart
                draft={draft.throttle}
                errorOf={errorOf}
                onChange={(throttle) => change('throttle', throttle)}
              />
              <LoginPart
                draft={draft.login}
                errorOf={errorOf}
                fixed={fixedOf((each) => each.login, 'login')}
                onChange={(login) => change('login', login)}
              />
              <HopsPart
                draft={draft.hops}
                errorOf={errorOf}
                fixed={fixedOf((each) => each.hops, 'hops')}
                onChange={(hops) => change('hops', hops)}
              />
            </>
          )}
          <FoldedPart
            title={t(isFolder ? 'form.more.folder' : 'form.more')}
            text={t(isFolder ? 'form.more.folder.text' : 'form.more.text')}
          >
            <Stack gap="md">
              <Textarea
                {...text('include', 'form.include', 'form.include.hint')}
                autosize
                minRows={1}
                spellCheck={false}
                classNames={{ input: 'mono' }}
              />
              <Textarea
                {...text('exclude', 'form.exclude', 'form.exclude.hint')}
                autosize
                minRows={1}
                spellCheck={false}
                classNames={{ input: 'mono' }}
              />
              {!isFolder && (
                <>
                  <TextInput {...text('userAgent', 'form.userAgent', 'form.userAgent.hint')} />
                  <Textarea
                    {...text('resolve', 'form.resolve', 'form.resolve.hint')}
                    autosize
                    minRows={1}
                    spellCheck={false}
                    classNames={{ input: 'mono' }}
                  />
                </>
              )}
            </Stack>
          </FoldedPart>

          <FoldedPart title={t('form.output')} text={t('form.output.text')}>
            <OutputChoice {...connectors} />
          </FoldedPart>
        </div>

        {refusal && <FaultNote fault={refusal} />}
        <Group justify="end" className="form-end">
          <ActionButton
            type="submit"
            onClick={() => undefined}
            why={starting ? t(edited ? 'form.edit.saving' : 'form.starting') : null}
            leftSection={edited ? <Save size={16} aria-hidden /> : <Rocket size={16} aria-hidden />}
          >
            {t(edited ? 'form.edit.save' : draft.schedule === null ? 'form.start' : 'form.schedule.save')}
          </ActionButton>
        </Group>
      </Stack>
    </form>
  )
}

const seedsWords: Record<RepositoryName, { label: WordId; hint: WordId }> = {
  web: { label: 'form.seeds', hint: 'form.seeds.hint' },
  sitemap: { label: 'form.seeds.sitemap', hint: 'form.seeds.sitemap.hint' },
  feed: { label: 'form.seeds.feed', hint: 'form.seeds.feed.hint' },
  folder: { label: 'form.seeds.folder', hint: 'form.seeds.folder.hint' },
}

function unitsOf<Unit extends string>(units: Readonly<Record<Unit, number>>, label: (unit: Unit) => string) {
  return (Object.keys(units) as Unit[]).map((unit) => ({ value: unit, label: label(unit) }))
}
