/** The queue of a job: its hosts, the next URLs, and what a user can change during a run. Hidden when the job has no run and nothing
 *  was set for the next one. */
import { Group, Select, Text } from '@mantine/core'
import { useEffect, useMemo, useState } from 'react'
import { useStore } from 'zustand'
import type { JobWhole } from '../../../src-main/contract/services/jobDetails.ts'
import type { Fault } from '../../../src-main/contract/calls/faults.ts'
import { jobPriorityLeast, jobPriorityMost, type QueueWhole } from '../../../src-main/contract/services/live.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { Await } from '../../parts/Await.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { FaultNote } from '../../parts/FaultNote.tsx'
import { Section } from '../../parts/Section.tsx'
import { faultFrom, valueOf } from '../../state/loaded.ts'
import { makeQueue } from '../../state/queue.ts'
import { useMay } from '../../parts/useMay.ts'
import { useSession } from '../../state/session.tsx'
import { useWords, type Translate } from '../../words/words.tsx'
import { BudgetDialog } from './BudgetDialog.tsx'
import { ChoiceDialog, type Choice } from './ChoiceDialog.tsx'
import { Budgets, Head, Hosts, Rules } from './QueueTables.tsx'
import styles from './queue.module.css'

export function JobQueue({ job }: { job: JobWhole }) {
  const t = useWords()
  const { services } = useSession()
  const store = useMemo(() => makeQueue(services, job.job), [services, job.job])
  const { queue, refreshFault, load } = useStore(store)
  const [open, setOpen] = useState<Open | null>(null)
  useEffect(() => {
    store.open()
    return () => store.close()
  }, [store])
  const known = valueOf(queue)
  // The end of the job does not close a dialog with typed input.
  if (job.ended !== null && open === null && (!known || (known.rules.length === 0 && known.budgets.length === 0)))
    return null
  return (
    <Section title={t('queue.title')}>
      {refreshFault && <FaultNote fault={refreshFault} onRetry={() => void load()} />}
      <Await of={queue} onRetry={() => void load()}>
        {(value) => <QueueBody {...{ job, load, open, setOpen }} queue={value} />}
      </Await>
    </Section>
  )
}

type Open = Choice | 'budgets'

interface QueueBodyProps {
  job: JobWhole
  queue: QueueWhole
  load: () => Promise<void>
  open: Open | null
  setOpen: (open: Open | null) => void
}

function QueueBody({ job, queue, load, open, setOpen }: QueueBodyProps) {
  const t = useWords()
  const priorityRefusal = useMay().why('queue.priority')
  const { services } = useSession()
  const [refusal, setRefusal] = useState<Fault | null>(null)
  /** Rules and budgets also apply to the next run. */
  const isOver = job.ended !== null

  async function act(change: Promise<unknown>): Promise<void> {
    setRefusal(null)
    try {
      await change
      await load()
    } catch (error) {
      setRefusal(faultFrom(error))
    }
  }

  return (
    <>
      {!isOver && (
        <Text c="dimmed" mb="sm">
          {countsWords(t, queue)}
        </Text>
      )}
      {refusal && <FaultNote fault={refusal} />}
      {!isOver && (
        <>
          <Group mb="sm" justify="space-between">
            <Group gap="xs">
              {(['reject', 'drop', 'lift', 'budgets'] as const).map((each) => (
                <ActionButton needs={`queue.${each}`} key={each} variant="default" onClick={() => setOpen(each)}>
                  {t(`queue.${each}`)}
                </ActionButton>
              ))}
            </Group>
            <Select
              className={styles.nextToLabel}
              disabled={priorityRefusal !== null}
              title={priorityRefusal ?? undefined}
              label={t('queue.priority')}
              description={t('queue.priority.hint')}
              w={350}
              data={priorities}
              allowDeselect={false}
              value={String(queue.priority)}
              onChange={(value) => void act(services.queue.priority({ job: job.job, priority: Number(value) }))}
            />
          </Group>
          {queue.hosts.length === 0 && queue.head.length === 0 ? (
            <EmptyState title={t('queue.empty')} text={t('queue.empty.text')} />
          ) : (
            <Hosts queue={queue} />
          )}
          <Head queue={queue} />
        </>
      )}
      <Rules queue={queue} onRemove={(rule) => void act(services.queue.unreject({ job: job.job, rule }))} />
      <Budgets queue={queue} />
      <ChoiceDialog
        choice={open === 'budgets' ? null : open}
        job={job.job}
        onDone={() => void load()}
        onClose={() => setOpen(null)}
      />
      <BudgetDialog
        isOpen={open === 'budgets'}
        queue={queue}
        onDone={() => void load()}
        onClose={() => setOpen(null)}
      />
    </>
  )
}

function countsWords(t: Translate, { waiting, inFlight }: QueueWhole): string {
  return t('queue.counts', { queued: waiting + inFlight, waiting, inFlight })
}

const priorities = Array.from({ length: jobPriorityMost - jobPriorityLeast + 1 }, (_, at) =>
  String(jobPriorityLeast + at),
)
