/** Defining a harvest. Every limit is optional and says its unit; what a choice means stands beside it. */
import { Alert, Group, NumberInput, Radio, Select, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core'
import { Rocket, TriangleAlert } from 'lucide-react'
import { useRef, useState, type SubmitEvent } from 'react'
import type { RepositoryName } from '../../../src-main/contract/connectors.ts'
import { scopes } from '../../../src-main/contract/choices.ts'
import type { Fault } from '../../../src-main/contract/faults.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { FoldedPart } from '../../parts/FoldedPart.tsx'
import { FaultNote } from '../../parts/FaultNote.tsx'
import { faultFrom } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'
import { useWords, type WordId } from '../../words/words.tsx'
import { goTo } from '../routes.ts'
import { complaintWords } from './complaintWords.ts'
import { OutputChoice, RepositoryChoice, RepositorySettings } from './ConnectorPart.tsx'
import {
  byteUnits,
  defined,
  emptyDraft,
  timeUnits,
  type Complaint,
  type Complaints,
  type HarvestDraft,
} from './harvestDraft.ts'
import { hopsFieldOf } from './hopsDraft.ts'
import { HopsPart } from './HopsPart.tsx'
import { loginFieldOf } from './loginDraft.ts'
import { LoginPart } from './LoginPart.tsx'
import { RecheckPart } from './RecheckPart.tsx'
import { SchedulePart } from './SchedulePart.tsx'
import { ThrottlePart } from './ThrottlePart.tsx'
import { throttlePlaceOf } from './throttleDraft.ts'

type NumberField = 'maxHops' | 'maxObjects' | 'maxBytes' | 'maxSeconds' | 'workers' | 'delayMs' | 'connectionsPerHost'
type TextField = 'seeds' | 'name' | 'include' | 'exclude' | 'userAgent' | 'resolve'

export function HarvestForm({ onStarted }: { onStarted?: () => void }) {
  const say = useWords()
  const { services, jobs } = useSession()
  const [draft, setDraft] = useState(emptyDraft)
  const [complaints, setComplaints] = useState<Complaints>({})
  const [refusal, setRefusal] = useState<Fault | null>(null)
  const [starting, setStarting] = useState(false)
  const form = useRef<HTMLFormElement>(null)

  function change<Field extends keyof HarvestDraft>(field: Field, value: HarvestDraft[Field]): void {
    setDraft((before) => ({ ...before, [field]: value }))
    setComplaints(({ [field]: _mended, ...rest }) => rest)
  }

  async function start(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    const result = defined(draft)
    if ('complaints' in result) {
      setComplaints(result.complaints)
      const first = Object.keys(emptyDraft).find((field) => field in result.complaints)
      const complaint = first && result.complaints[first as keyof HarvestDraft]
      showField(form.current?.querySelector<HTMLElement>(`[name="${complaint ? nameOf(first, complaint) : ''}"]`))
      return
    }
    setStarting(true)
    setRefusal(null)
    try {
      const { job } = await services.harvests.create(result.definition)
      void jobs.getState().load()
      onStarted?.()
      goTo({ place: 'job', job })
    } catch (error) {
      setRefusal(faultFrom(error))
    } finally {
      setStarting(false)
    }
  }

  const errorOf = (field: keyof HarvestDraft) => {
    const complaint = complaints[field]
    return complaint ? { error: complaintWords(say, complaint) } : {}
  }
  const text = (field: TextField, label: WordId, description?: WordId) => ({
    name: field,
    label: say(label),
    ...(description ? { description: say(description) } : {}),
    value: draft[field],
    onChange: (event: { currentTarget: { value: string } }) => change(field, event.currentTarget.value),
    ...errorOf(field),
  })
  const number = (field: NumberField, label: WordId, description?: WordId) => ({
    name: field,
    label: say(label),
    ...(description ? { description: say(description) } : {}),
    placeholder: say(
      field === 'workers' || field === 'delayMs' || field === 'connectionsPerHost' ? 'form.asSet' : 'form.noLimit',
    ),
    value: draft[field],
    onChange: (value: number | string) => change(field, value),
    hideControls: true,
    ...errorOf(field),
  })

  const { repository } = draft.connectors
  const connectors = {
    draft: draft.connectors,
    onChange: (changed: HarvestDraft['connectors']) => change('connectors', changed),
  }

  return (
    <form ref={form} onSubmit={(event) => void start(event)} noValidate aria-label={say('form.title')}>
      <Stack gap="lg">
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
        <RepositorySettings {...connectors} complaint={complaints.connectors} />
        <TextInput {...text('name', 'form.name', 'form.name.hint')} />
        {repository === 'web' && (
          <Radio.Group
            name="scope"
            label={say('form.scope')}
            value={draft.scope}
            onChange={(value) => change('scope', scopes.find((scope) => scope === value) ?? draft.scope)}
          >
            <Stack gap={6} mt={6}>
              {scopes.map((scope) => (
                <Radio
                  key={scope}
                  value={scope}
                  label={say(`scope.${scope}`)}
                  description={say(`scope.${scope}.meaning`)}
                />
              ))}
            </Stack>
          </Radio.Group>
        )}

        <fieldset>
          <legend>{say('form.limits')}</legend>
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
            {repository === 'web' && (
              <NumberInput {...number('maxHops', 'form.maxHops', 'form.maxHops.hint')} allowDecimal={false} />
            )}
            <NumberInput {...number('maxObjects', 'form.maxObjects', 'form.maxObjects.hint')} allowDecimal={false} />
            <Group gap={6} align="end" wrap="nowrap">
              <NumberInput {...number('maxBytes', 'form.maxBytes')} flex={1} />
              <Select
                aria-label={say('form.maxBytes.unit')}
                w={84}
                data={Object.keys(byteUnits)}
                value={draft.maxBytesUnit}
                allowDeselect={false}
                onChange={(unit) => change('maxBytesUnit', keyIn(byteUnits, unit) ?? draft.maxBytesUnit)}
              />
            </Group>
            <Group gap={6} align="end" wrap="nowrap">
              <NumberInput {...number('maxSeconds', 'form.maxSeconds')} flex={1} />
              <Select
                aria-label={say('form.maxSeconds.unit')}
                w={110}
                data={(['seconds', 'minutes', 'hours'] as const).map((unit) => ({
                  value: unit,
                  label: say(`unit.${unit}`),
                }))}
                value={draft.maxSecondsUnit}
                allowDeselect={false}
                onChange={(unit) => change('maxSecondsUnit', keyIn(timeUnits, unit) ?? draft.maxSecondsUnit)}
              />
            </Group>
          </SimpleGrid>
        </fieldset>

        <SchedulePart draft={draft.schedule} onChange={(schedule) => change('schedule', schedule)} />

        <div className="folded-parts">
          <RecheckPart
            draft={draft.recheck}
            complaint={complaints.recheck}
            onChange={(recheck) => change('recheck', recheck)}
          />
          <FoldedPart title={say('form.politeness')} text={say('form.politeness.text')}>
            <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="md" mb="md">
              <NumberInput {...number('delayMs', 'form.delayMs')} allowDecimal={false} />
              <NumberInput {...number('connectionsPerHost', 'form.connectionsPerHost')} allowDecimal={false} />
              <NumberInput {...number('workers', 'form.workers')} allowDecimal={false} />
            </SimpleGrid>
            <Radio.Group
              name="robots"
              label={say('form.robots')}
              value={draft.robots}
              onChange={(value) => change('robots', value === 'ignore' ? 'ignore' : 'obey')}
            >
              <Group gap="lg" mt={6}>
                <Radio value="obey" label={say('form.robots.obey')} />
                <Radio value="ignore" label={say('form.robots.ignore')} />
              </Group>
            </Radio.Group>
            {draft.robots === 'ignore' && (
              <Alert mt="xs" color="yellow" icon={<TriangleAlert aria-hidden />} role="status">
                {say('form.robots.warning')}
              </Alert>
            )}
          </FoldedPart>

          {repository !== 'folder' && (
            <>
              <ThrottlePart
                rules={draft.throttle}
                complaint={complaints.throttle}
                onChange={(throttle) => change('throttle', throttle)}
              />
              <LoginPart
                draft={draft.login}
                complaint={complaints.login}
                onChange={(login) => change('login', login)}
              />
              <HopsPart draft={draft.hops} complaint={complaints.hops} onChange={(hops) => change('hops', hops)} />
            </>
          )}
          <FoldedPart title={say('form.more')} text={say('form.more.text')}>
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
              <TextInput {...text('userAgent', 'form.userAgent', 'form.userAgent.hint')} />
              <Textarea
                {...text('resolve', 'form.resolve', 'form.resolve.hint')}
                autosize
                minRows={1}
                spellCheck={false}
                classNames={{ input: 'mono' }}
              />
            </Stack>
          </FoldedPart>

          <FoldedPart title={say('form.output')} text={say('form.output.text')}>
            <OutputChoice {...connectors} />
          </FoldedPart>
        </div>

        {refusal && <FaultNote fault={refusal} />}
        <Group justify="end" className="form-end">
          <ActionButton
            type="submit"
            onClick={() => undefined}
            why={starting ? say('form.starting') : null}
            leftSection={<Rocket size={16} aria-hidden />}
          >
            {say(draft.schedule === null ? 'form.start' : 'form.schedule.save')}
          </ActionButton>
        </Group>
      </Stack>
    </form>
  )
}

/** The control that a complaint is about: parts have several. */
function nameOf(field: string, { issue: { path } }: Complaint): string {
  if (field === 'login') return `login.${loginFieldOf(path)}`
  if (field === 'hops') return `hops.${hopsFieldOf(path)}`
  if (field === 'recheck') return `recheck.${String(path.at(-1))}`
  if (field !== 'throttle') return field
  const { row, field: limit } = throttlePlaceOf(path)
  return `throttle.${row}.${limit}`
}

/** Nobody can mend what is folded away. */
function showField(control: HTMLElement | null | undefined): void {
  const part = control?.closest('details')
  if (part) part.open = true
  control?.focus()
}

const seedsWords: Record<RepositoryName, { label: WordId; hint: WordId }> = {
  web: { label: 'form.seeds', hint: 'form.seeds.hint' },
  sitemap: { label: 'form.seeds.sitemap', hint: 'form.seeds.sitemap.hint' },
  feed: { label: 'form.seeds.feed', hint: 'form.seeds.feed.hint' },
  folder: { label: 'form.seeds.folder', hint: 'form.seeds.folder.hint' },
}

function keyIn<Units extends object>(units: Units, key: string | null): (keyof Units & string) | undefined {
  return Object.keys(units).find((unit): unit is keyof Units & string => unit === key)
}
