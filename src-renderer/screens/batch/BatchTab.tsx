/** Batch jobs: the form, the runs, and how to write a module. */
import { Text } from '@mantine/core'
import { useStore } from 'zustand'
import { Await } from '../../parts/Await.tsx'
import { CopyAction } from '../../parts/CopyAction.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { Section } from '../../parts/Section.tsx'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { BatchForm } from './BatchForm.tsx'
import { BatchRun } from './BatchRun.tsx'
import { exampleModule, failuresDefault } from './exampleModule.ts'
import styles from './batch.module.css'

export function BatchTab() {
  const t = useWords()
  return (
    <>
      <Text maw="75ch">{t('batch.text')}</Text>
      <Section title={t('batch.new')}>
        <BatchForm />
      </Section>
      <Runs />
      <Example />
    </>
  )
}

function Runs() {
  const t = useWords()
  const { batch } = useSession()
  const { rows, load } = useStore(batch)
  return (
    <Section title={t('batch.runs')}>
      <Await of={rows} onRetry={() => void load()}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState title={t('batch.none')} text={t('batch.none.text')} />
          ) : (
            <ul className={`exports ${styles.batchRuns}`} aria-label={t('batch.runs')}>
              {list.map((run) => (
                <li key={run.task}>
                  <BatchRun run={run} />
                </li>
              ))}
            </ul>
          )
        }
      </Await>
    </Section>
  )
}

function Example() {
  const t = useWords()
  return (
    <Section title={t('batch.example')} actions={<CopyAction text={exampleModule} what={t('batch.example.what')} />}>
      <Text maw="75ch">{t('batch.example.text')}</Text>
      <pre
        className={`log ${styles.batchText} ${styles.batchExample}`}
        tabIndex={0}
        role="group"
        aria-label={t('batch.example.label')}
      >
        {exampleModule}
      </pre>
      <Text size="sm" c="dimmed" mt="xs" maw="75ch">
        {t('batch.example.notes', { failures: failuresDefault })}
      </Text>
    </Section>
  )
}
