/** Choosing what to look at: which files of the archive, as of when, and under which name it is kept. */
import { Checkbox, Group, Modal, NumberInput, Radio, Stack, TextInput } from '@mantine/core'
import { Eye } from 'lucide-react'
import { useState, type SubmitEvent } from 'react'
import { useStore } from 'zustand'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { Await } from '../../parts/Await.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { valueOf } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { hrefOf } from '../routes.ts'
import { SelectionFields } from '../selection/SelectionFields.tsx'
import { newestOf, useSelectable, type Selectable } from '../selection/useSelectable.ts'
import { choiceOf, draftOf, moments, type ChoiceDraft } from './choiceDraft.ts'
import { KeptChoices } from './KeptChoices.tsx'

export function ViewDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const say = useWords()
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size="lg"
      title={say('chooser.title')}
      closeButtonProps={{ 'aria-label': say('close') }}
    >
      <ViewChooser onChosen={onClose} />
    </Modal>
  )
}

export function ViewChooser({ onChosen }: { onChosen?: () => void }) {
  const say = useWords()
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
          <EmptyState title={say('chooser.none')} text={say(value.isRunning ? 'chooser.running' : 'chooser.none.text')}>
            <a href={hrefOf({ place: 'jobs' })}>{say('chooser.toJobs')}</a>
          </EmptyState>
        )
      }
    </Await>
  )
}

function ChoiceForm({ selectable, onChosen }: { selectable: Selectable; onChosen?: () => void }) {
  const say = useWords()
  const { view: store } = useSession()
  const { view, open } = useStore(store)
  const [draft, setDraft] = useState(() => draftOf(valueOf(view) ?? null, newestOf(selectable)))
  const choice = choiceOf(draft)
  const change = (changes: Partial<ChoiceDraft>) => setDraft((before) => ({ ...before, ...changes }))

  function submit(event: SubmitEvent): void {
    event.preventDefault()
    if (typeof choice === 'string') return
    onChosen?.()
    void open(choice)
  }

  return (
    <form onSubmit={submit} aria-label={say('chooser.title')}>
      <Stack maw={640}>
        <SelectionFields
          selectable={selectable}
          selection={draft}
          onChange={change}
          jobsHint={say('chooser.jobs.hint')}
        />
        <MomentFields draft={draft} onChange={change} />
        <Checkbox
          label={say('chooser.exact')}
          description={say('chooser.exact.hint')}
          checked={draft.isExact}
          onChange={(event) => change({ isExact: event.currentTarget.checked })}
        />
        <TextInput
          label={say('chooser.name')}
          description={say('chooser.name.hint')}
          value={draft.name}
          maxLength={100}
          onChange={(event) => change({ name: event.currentTarget.value })}
          maw={400}
        />
        <Group>
          <ActionButton
            type="submit"
            onClick={() => undefined}
            leftSection={<Eye size={16} aria-hidden />}
            why={typeof choice === 'string' ? say(`chooser.problem.${choice}`) : null}
          >
            {say('chooser.open')}
          </ActionButton>
        </Group>
      </Stack>
    </form>
  )
}

interface MomentFieldsProps {
  draft: ChoiceDraft
  onChange: (changes: Partial<ChoiceDraft>) => void
}

function MomentFields({ draft: { moment, at, within }, onChange }: MomentFieldsProps) {
  const say = useWords()
  return (
    <Radio.Group
      label={say('chooser.moment')}
      value={moment}
      onChange={(value) => onChange({ moment: moments.find((known) => known === value) ?? 'newest' })}
    >
      <Stack gap="xs" mt="xs">
        {moments.map((kind) => (
          <Radio key={kind} value={kind} label={say(`chooser.${kind}`)} />
        ))}
      </Stack>
      {moment === 'nearest' && (
        <Group mt="sm" pl={32} align="end">
          <TextInput
            type="datetime-local"
            step={1}
            label={say('chooser.at')}
            value={at}
            onChange={(event) => onChange({ at: event.currentTarget.value })}
            w={230}
          />
          <NumberInput
            label={say('chooser.within')}
            placeholder={say('chooser.within.hint')}
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
