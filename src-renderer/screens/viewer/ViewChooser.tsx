/** Choosing what to look at: which jobs, and as of when. */
import { Group, Modal, MultiSelect, Stack, TextInput } from '@mantine/core'
import { Eye } from 'lucide-react'
import { useState, type SubmitEvent } from 'react'
import { useStore } from 'zustand'
import type { JobSummary } from '../../../src-main/contract/contract.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { Await } from '../../parts/Await.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { timeUtc } from '../../parts/formats.ts'
import { valueOf } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { hrefOf } from '../routes.ts'

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
  const { jobs: store } = useSession()
  const { jobs, load } = useStore(store)
  return (
    <Await of={jobs} onRetry={() => void load()}>
      {(list) => {
        const ended = list.filter((job) => job.ended !== null)
        return ended.length > 0 ? (
          <Choice ended={ended} {...(onChosen ? { onChosen } : {})} />
        ) : (
          <EmptyState title={say('chooser.none')} text={say(list.length > 0 ? 'chooser.running' : 'chooser.none.text')}>
            <a href={hrefOf({ place: 'jobs' })}>{say('chooser.toJobs')}</a>
          </EmptyState>
        )
      }}
    </Await>
  )
}

/** '' for the newest or the oldest of everything. */
function momentIn(at = ''): string {
  return /^\d/.test(at) ? at : ''
}

/** `ended`: newest first. */
function Choice({ ended, onChosen }: { ended: JobSummary[]; onChosen?: () => void }) {
  const say = useWords()
  const { view: store } = useSession()
  const { view, open } = useStore(store)
  const current = valueOf(view)
  const newest = ended[0]
  const [chosen, setChosen] = useState<number[]>(current?.jobs ?? (newest ? [newest.job] : []))
  const [at, setAt] = useState(momentIn(current?.at).slice(0, 16))

  function submit(event: SubmitEvent): void {
    event.preventDefault()
    if (chosen.length === 0) return
    onChosen?.()
    // The field gives local digits without a zone; it is labelled, and meant, as UTC.
    void open({ jobs: chosen, ...(at === '' ? {} : { at: new Date(`${at}Z`).toISOString() }) })
  }

  return (
    <form onSubmit={submit} aria-label={say('chooser.title')}>
      <Stack maw={640}>
        <MultiSelect
          label={say('chooser.jobs')}
          description={say('chooser.jobs.hint')}
          data={ended.map(({ job, harvest, ended: time }) => ({
            value: String(job),
            label: say('chooser.job', { job, name: harvest, ended: time ? timeUtc(time).slice(0, 10) : '' }),
          }))}
          value={chosen.map(String)}
          onChange={(values) => setChosen(values.map(Number))}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': say('chooser.clear') }}
        />
        <TextInput
          type="datetime-local"
          label={say('chooser.at')}
          description={say('chooser.at.hint')}
          value={at}
          onChange={(event) => setAt(event.currentTarget.value)}
          maw={280}
        />
        <Group>
          <ActionButton
            type="submit"
            onClick={() => undefined}
            leftSection={<Eye size={16} aria-hidden />}
            why={chosen.length === 0 ? say('chooser.why') : null}
          >
            {say('chooser.open')}
          </ActionButton>
        </Group>
      </Stack>
    </form>
  )
}
