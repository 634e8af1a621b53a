/** The start screen: the jobs, or, when there are none, what Loupe is and three ways to begin. */
import { Group, Stack, Text, Title } from '@mantine/core'
import { BookOpen, FileInput, Globe, type LucideIcon } from 'lucide-react'
import { useState } from 'react'
import { useStore } from 'zustand'
import type { Fault } from '../../../src-main/contract/calls/faults.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { Await } from '../../parts/Await.tsx'
import { FaultNote } from '../../parts/FaultNote.tsx'
import type { CallName } from '../../state/callerRoles.ts'
import { faultFrom } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { JobsScreen } from '../jobs/JobsScreen.tsx'
import { goTo } from '../../routes/routes.ts'
import styles from './start.module.css'

export function StartScreen() {
  const { jobs: store } = useSession()
  const { jobs, load } = useStore(store)
  return (
    <Await of={jobs} onRetry={() => void load()}>
      {(list) => (list.length === 0 ? <Welcome /> : <JobsScreen jobs={list} />)}
    </Await>
  )
}

function Welcome() {
  const t = useWords()
  const { services, jobs, dialogs } = useSession()
  const { show } = useStore(dialogs)
  const [opening, setOpening] = useState(false)
  const [refusal, setRefusal] = useState<Fault | null>(null)

  async function openSample(): Promise<void> {
    setOpening(true)
    setRefusal(null)
    try {
      const { job } = await services.harvests.openSample({})
      void jobs.getState().load()
      goTo({ place: 'job', job })
    } catch (error) {
      setRefusal(faultFrom(error))
    } finally {
      setOpening(false)
    }
  }

  return (
    <Stack maw={880} mx="auto" mt="8vh" gap="xl">
      <div>
        <Title order={1} mb="sm">
          {t('start.title')}
        </Title>
        <Text size="lg" maw="65ch">
          {t('start.text')}
        </Text>
      </div>
      <div className={`cards ${styles.startCards}`}>
        <Way
          icon={Globe}
          title={t('start.harvest')}
          text={t('start.harvest.text')}
          verb={t('start.harvest.verb')}
          needs="harvests.create"
          onClick={() => show('harvest')}
          main
        />
        <Way
          icon={FileInput}
          title={t('start.import')}
          text={t('start.import.text')}
          verb={t('start.import.verb')}
          needs="harvests.import"
          onClick={() => show('import')}
        />
        <Way
          icon={BookOpen}
          title={t('start.sample')}
          text={t('start.sample.text')}
          verb={t('start.sample.verb')}
          needs="harvests.openSample"
          onClick={() => void openSample()}
          why={opening ? t('start.sample.opening') : null}
        />
      </div>
      {refusal && <FaultNote fault={refusal} onRetry={() => void openSample()} />}
    </Stack>
  )
}

interface WayProps {
  icon: LucideIcon
  title: string
  text: string
  verb: string
  onClick: () => void
  main?: boolean
  why?: string | null
  needs: CallName
}

function Way({ icon: Icon, title, text, verb, onClick, main = false, why, needs }: WayProps) {
  return (
    <section className={`card ${styles.way}`} aria-label={title}>
      <Group gap="xs" wrap="nowrap">
        <Icon size={22} aria-hidden />
        <Title order={2} size="h4">
          {title}
        </Title>
      </Group>
      <Text size="sm" c="dimmed" flex={1}>
        {text}
      </Text>
      <ActionButton variant={main ? 'filled' : 'default'} onClick={onClick} why={why} needs={needs}>
        {verb}
      </ActionButton>
    </section>
  )
}
