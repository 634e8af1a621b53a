/** Adds or changes a harvest definition. */
import { Alert, NumberInput, Radio, Select, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core'
import { OctagonX } from 'lucide-react'
import { useCallback } from 'react'
import { harvestKinds } from '../../../src-main/contract/services/harvestDefinitions.ts'
import { FoldedPart } from '../../parts/FoldedPart.tsx'
import { FormDialog } from '../../parts/FormDialog.tsx'
import { FormEnd } from '../../parts/FormEnd.tsx'
import { BytesInput, SecondsInput } from '../../parts/LimitInput.tsx'
import { useDialogForm } from '../../parts/useDialogForm.ts'
import { useLoaded } from '../../parts/useLoaded.ts'
import { goTo } from '../../routes/routes.ts'
import { valueOf } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { FieldValueInputs } from '../domains/FieldValueInputs.tsx'
import { inputFrom, type HarvestDefinitionDraft } from './definitionDraft.ts'

interface HarvestDefinitionDialogProps {
  /** Null while the dialog is closed. */
  draft: HarvestDefinitionDraft | null
  /** The harvest that is changed; null: a new one. */
  harvest: number | null
  onClose: () => void
}

export function HarvestDefinitionDialog({ draft, harvest, onClose }: HarvestDefinitionDialogProps) {
  const t = useWords()
  return (
    <FormDialog
      opened={draft !== null}
      onClose={onClose}
      size={760}
      title={t(harvest === null ? 'harvests.add' : 'harvests.edit')}
    >
      {draft && <Form draft={draft} harvest={harvest} onClose={onClose} />}
    </FormDialog>
  )
}

type Change = (changes: Partial<HarvestDefinitionDraft>) => void
type Field = 'name' | 'kind' | 'schedule' | 'configurations' | 'previous' | 'objectsMax' | 'bytesMax' | 'secondsMax' | 'channel' | 'priority' | 'fields' // prettier-ignore
type Control = (field: Field) => { 'data-field': Field; error?: string }

function Form({ draft: opened, harvest, onClose }: HarvestDefinitionDialogProps & { draft: HarvestDefinitionDraft }) {
  const t = useWords()
  const { services } = useSession()
  const { draft, change, form, control, refusal, isSending } = useDialogForm<HarvestDefinitionDraft, Field>({
    opened,
    problemsOf: ({ name, kind, schedule }) => ({
      name: name.trim() === '' ? t('form.needed') : null,
      kind: null,
      schedule: kind === 'selective' && schedule === null ? t('form.needed') : null,
      ...{ configurations: null, previous: null, objectsMax: null, bytesMax: null, secondsMax: null },
      ...{ channel: null, priority: null, fields: null },
    }),
    save: async (typed) => {
      const definition = inputFrom(typed)
      if (harvest !== null) await services.harvestDefinitions.edit({ harvest, definition })
      else goTo({ place: 'harvest', harvest: (await services.harvestDefinitions.add(definition)).harvest })
    },
    onSaved: onClose,
  })
  return (
    <form {...form} aria-label={t('harvests.form')}>
      <Stack>
        {opened.isUnreadable && (
          <Alert color="red" icon={<OctagonX aria-hidden />}>
            {t('harvests.import.wrong')}
          </Alert>
        )}
        <TextInput
          {...control('name')}
          label={t('timings.name')}
          required
          data-autofocus
          value={draft.name}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        <Radio.Group
          {...control('kind')}
          label={t('harvests.kind')}
          value={draft.kind}
          onChange={(value) => change({ kind: harvestKinds.find((kind) => kind === value) ?? draft.kind })}
        >
          <Stack gap={6} mt={6}>
            {harvestKinds.map((kind) => (
              <Radio
                key={kind}
                value={kind}
                disabled={harvest !== null && kind !== opened.kind}
                label={t(`harvests.kind.${kind}`)}
                description={t(`harvests.kind.${kind}.text`)}
              />
            ))}
          </Stack>
        </Radio.Group>
        <KindFields draft={draft} change={change} control={control} />
        <Limits draft={draft} change={change} control={control} />
        <More draft={draft} change={change} control={control} />
        <FormEnd refusal={refusal} verb={t('timings.save')} why={isSending ? t('schedule.saving') : null} />
      </Stack>
    </form>
  )
}

interface FieldsProps {
  draft: HarvestDefinitionDraft
  change: Change
  control: Control
}

function KindFields({ draft, change, control }: FieldsProps) {
  const t = useWords()
  const { services } = useSession()
  const [schedules] = useLoaded(useCallback(() => services.harvestSchedules.list({}), [services]))
  const [snapshots] = useLoaded(useCallback(() => services.harvestDefinitions.list({ kind: 'snapshot' }), [services]))
  if (draft.kind === 'snapshot')
    return (
      <Select
        {...control('previous')}
        label={t('harvests.previous')}
        description={t('harvests.previous.hint')}
        placeholder={t('harvests.previous.none')}
        clearable
        data={(valueOf(snapshots) ?? []).map(({ name }) => name).filter((name) => name !== draft.name)}
        value={draft.previous}
        onChange={(previous) => change({ previous })}
      />
    )
  return (
    <>
      {draft.kind === 'selective' && (
        <Select
          {...control('schedule')}
          label={t('harvests.schedule')}
          required
          searchable
          data={(valueOf(schedules) ?? []).map(({ name, words }) => ({
            value: name,
            label: t('harvests.scheduleOf', { name, words: t(words) }),
          }))}
          value={draft.schedule}
          onChange={(schedule) => change({ schedule })}
        />
      )}
      <Textarea
        {...control('configurations')}
        label={t('harvests.domains')}
        description={t(draft.kind === 'event' ? 'harvests.domains.event' : 'harvests.domains.hint')}
        classNames={{ input: 'mono' }}
        spellCheck={false}
        autosize
        minRows={3}
        maxRows={12}
        value={draft.configurations}
        onChange={(event) => change({ configurations: event.currentTarget.value })}
      />
    </>
  )
}

function Limits({ draft, change, control }: FieldsProps) {
  const t = useWords()
  return (
    <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="md">
      <NumberInput
        {...control('objectsMax')}
        label={t('harvests.objectsMax')}
        description={t('harvests.perDomain')}
        placeholder={t('harvests.unlimited')}
        min={0}
        allowDecimal={false}
        hideControls
        value={draft.objectsMax ?? ''}
        onChange={(value) => change({ objectsMax: typeof value === 'number' ? value : null })}
      />
      <BytesInput
        {...control('bytesMax')}
        label={t('harvests.bytesMax')}
        description={t('harvests.perDomain')}
        placeholder={t('harvests.unlimited')}
        value={draft.bytesMax}
        onChange={(bytesMax) => change({ bytesMax })}
      />
      <SecondsInput
        {...control('secondsMax')}
        label={t('harvests.secondsMax')}
        description={t('harvests.perJob')}
        placeholder={t('harvests.unlimited')}
        value={draft.secondsMax}
        onChange={(secondsMax) => change({ secondsMax })}
      />
    </SimpleGrid>
  )
}

function More({ draft, change, control }: FieldsProps) {
  const t = useWords()
  return (
    <FoldedPart title={t('harvests.more')} text={t('harvests.more.text')}>
      <Stack>
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
          <NumberInput
            {...control('priority')}
            label={t('harvests.priority')}
            description={t('harvests.priority.hint')}
            min={1}
            max={10}
            allowDecimal={false}
            value={draft.priority}
            onChange={(priority) => change({ priority })}
          />
          <TextInput
            {...control('channel')}
            label={t('generated.channel')}
            description={t('harvests.channel.hint')}
            value={draft.channel}
            onChange={(event) => change({ channel: event.currentTarget.value })}
          />
        </SimpleGrid>
        <FieldValueInputs subject="harvest" values={draft.fields} onChange={(fields) => change({ fields })} />
        <TextInput
          label={t('harvests.audience')}
          value={draft.audience}
          onChange={(event) => change({ audience: event.currentTarget.value })}
        />
        <Textarea
          label={t('harvests.comments')}
          autosize
          minRows={2}
          value={draft.comments}
          onChange={(event) => change({ comments: event.currentTarget.value })}
        />
      </Stack>
    </FoldedPart>
  )
}
