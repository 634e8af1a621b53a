/** Chooses what to view: the files of the archive, the time, and a name under which the selection is saved. */
import { Checkbox, Group, NumberInput, Radio, Stack, TextInput } from '@mantine/core'
import { Eye } from 'lucide-react'
import { useState, type SubmitEvent } from 'react'
import { useStore } from 'zustand'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { Await } from '../../parts/Await.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { FormDialog } from '../../parts/FormDialog.tsx'
import { useUnsaved } from '../../parts/unsaved.tsx'
import { useFormErrors } from '../../parts/useFormErrors.ts'
import { valueOf } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { hrefOf } from '../../routes/routes.ts'
import { SelectionFields, type SelectionField } from '../selection/SelectionFields.tsx'
import { newestOf, useSelectable, type Selectable } from '../selection/useSelectable.ts'
import { choiceOf, draftOf, moments, type ChoiceDraft, type ChoiceProblem } from './choiceDraft.ts'
import { KeptChoices } from './KeptChoices.tsx'

export function ViewDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const t = useWords()
  return (
    <FormDialog opened={opened} onClose={onClose} size="lg" title={t('chooser.title')}>
      <ViewChooser onChosen={onClose} />
    </FormDialog>
  )
}

export function ViewChooser({ onChosen }: { onChosen?: () => void }) {
  const t = useWords()
  const [selectable, again] = useSelectable()
  return (
    <Await of={selectable} onRetry={again}>
      {(value) =>
        value.hasFiles ? (
          <>
            <ChoiceForm selectable={value} {...(onChosen ? { onChosen } : {})} />
            <KeptChoices {...(onChosen ? { onChosen } : {})} />
          </>
        ) : (
          <EmptyState title={t('chooser.none')} text={t(value.isRunning ? 'chooser.running' : 'chooser.none.text')}>
            <a href={hrefOf({ place: 'jobs' })}>{t('chooser.toJobs')}</a>
          </EmptyState>
        )
      }
    </Await>
  )
}

function ChoiceForm({ selectable, onChosen }: { selectable: Selectable; onChosen?: () => void }) {
  const t = useWords()
  const { view: store } = useSession()
  const { view, open } = useStore(store)
  const [before] = useState(() => draftOf(valueOf(view) ?? null, newestOf(selectable)))
  const [draft, setDraft] = useState(before)
  const saved = useUnsaved(JSON.stringify(draft) !== JSON.stringify(before))
  const choice = choiceOf(draft)
  const change = (changes: Partial<ChoiceDraft>) => setDraft((earlier) => ({ ...earlier, ...changes }))
  const problem = typeof choice === 'string' ? choice : null
  const errors = useFormErrors(
    { ...noProblems, ...(problem && { [fieldOf[problem]]: t(`chooser.problem.${problem}`) }) },
    null,
  )

  function submit(event: SubmitEvent): void {
    event.preventDefault()
    if (!errors.isComplete() || typeof choice === 'string') return
    saved()
    onChosen?.()
    void open(choice)
  }

  return (
    <form ref={errors.form} onSubmit={submit} noValidate aria-label={t('chooser.title')}>
      <Stack maw={640}>
        <SelectionFields
          selectable={selectable}
          selection={draft}
          onChange={change}
          jobsHint={t('chooser.jobs.hint')}
          control={errors.control}
        />
        <MomentFields draft={draft} onChange={change} control={errors.control} />
        <Checkbox
          label={t('chooser.exact')}
          description={t('chooser.exact.hint')}
          checked={draft.isExact}
          onChange={(event) => change({ isExact: event.currentTarget.checked })}
        />
        <TextInput
          label={t('chooser.name')}
          description={t('chooser.name.hint')}
          value={draft.name}
          maxLength={100}
          onChange={(event) => change({ name: event.currentTarget.value })}
          maw={400}
        />
        <Group>
          <ActionButton type="submit" onClick={() => undefined} leftSection={<Eye size={16} aria-hidden />}>
            {t('chooser.open')}
          </ActionButton>
        </Group>
      </Stack>
    </form>
  )
}

type ChoiceField = SelectionField | 'at' | 'withinDays'

/** The possible problems, in the order of the form. */
const noProblems: Record<ChoiceField, string | null> = { jobs: null, files: null, at: null, withinDays: null }

/** The control in which each problem is corrected. */
const fieldOf: Record<ChoiceProblem, ChoiceField> = { nothing: 'jobs', moment: 'at', within: 'withinDays' }

interface MomentFieldsProps {
  draft: ChoiceDraft
  onChange: (changes: Partial<ChoiceDraft>) => void
  control: (field: ChoiceField) => object
}

function MomentFields({ draft: { moment, at, within }, onChange, control }: MomentFieldsProps) {
  const t = useWords()
  return (
    <Radio.Group
      label={t('chooser.moment')}
      value={moment}
      onChange={(value) => onChange({ moment: moments.find((known) => known === value) ?? 'newest' })}
    >
      <Stack gap="xs" mt="xs">
        {moments.map((kind) => (
          <Radio key={kind} value={kind} label={t(`chooser.${kind}`)} />
        ))}
      </Stack>
      {moment === 'nearest' && (
        <Group mt="sm" pl={32} align="end">
          <TextInput
            {...control('at')}
            type="datetime-local"
            step={1}
            label={t('chooser.at')}
            value={at}
            onChange={(event) => onChange({ at: event.currentTarget.value })}
            w={230}
          />
          <NumberInput
            {...control('withinDays')}
            label={t('chooser.within')}
            placeholder={t('chooser.within.hint')}
            value={within}
            onChange={(value) => onChange({ within: value })}
            min={0}
            w={300}
          />
        </Group>
      )}
    </Radio.Group>
  )
}
