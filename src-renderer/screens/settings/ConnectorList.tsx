/** Connectors with state, version and jobs that use them, and buttons to install and uninstall them. */
import { Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { ConnectorRow } from '../../../src-main/contract/services/connectors.ts'
import { connectorStates } from '../../../src-main/contract/states/connectorStates.ts'
import type { Fault } from '../../../src-main/contract/calls/faults.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { Await } from '../../parts/Await.tsx'
import { useConfirm } from '../../parts/confirm.tsx'
import { FaultNote } from '../../parts/FaultNote.tsx'
import { Section } from '../../parts/Section.tsx'
import { StateBadge } from '../../parts/tone.tsx'
import { useFollowedList } from '../../state/followedList.ts'
import { faultFrom } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { hrefOf } from '../../routes/routes.ts'
import styles from './settings.module.css'

export function ConnectorList() {
  const t = useWords()
  const { services } = useSession()
  const { rows, load } = useFollowedList(services.connectors)
  return (
    <Section title={t('connectors.title')}>
      <p className="lead">{t('connectors.text')}</p>
      <Await of={rows} onRetry={() => void load()}>
        {(list) => (
          <div className="card">
            {list.map((row) => (
              <Connector key={row.name} row={row} />
            ))}
          </div>
        )}
      </Await>
    </Section>
  )
}

function Connector({ row }: { row: ConnectorRow }) {
  const t = useWords()
  const confirm = useConfirm()
  const { services } = useSession()
  const [refusal, setRefusal] = useState<Fault | null>(null)
  const [asking, setAsking] = useState(false)
  const { name, does, state, version, usedVersion, problem, jobs, waiting } = row
  const title = t(row.title)
  const verb = state === 'INSTALLED' ? 'deinstall' : 'install'

  async function move(): Promise<void> {
    const question = {
      title: t('connectors.deinstall.title', { title }),
      text: t('connectors.deinstall.text', { jobs }),
      verb: t('connectors.deinstall'),
    }
    if (verb === 'deinstall' && jobs > 0 && !(await confirm(question))) return
    setAsking(true)
    setRefusal(null)
    try {
      await services.connectors[verb]({ name })
    } catch (error) {
      setRefusal(faultFrom(error))
    } finally {
      setAsking(false)
    }
  }

  const facts = [
    t('connectors.version', { version }),
    ...(usedVersion === version ? [] : [t('connectors.used', { version: usedVersion })]),
    t('connectors.jobs', { jobs }),
  ]
  return (
    <div className={styles.setting} role="group" aria-label={title}>
      <Stack gap={4}>
        <Group gap="xs">
          <Text fw={600}>{title}</Text>
          <StateBadge table={connectorStates} state={state} />
        </Group>
        <Text size="sm">{t(does)}</Text>
        <Text size="sm" c="dimmed">
          {facts.join(' · ')}
        </Text>
        {problem !== null && <Text size="sm">{t(problem)}</Text>}
        {waiting.length > 0 && (
          <Text size="sm">
            {t('connectors.waiting')}{' '}
            {waiting.map((job, index) => (
              <span key={job}>
                {index > 0 && ', '}
                <a href={hrefOf({ place: 'job', job })}>{t('connectors.job', { job })}</a>
              </span>
            ))}
          </Text>
        )}
        {refusal && <FaultNote fault={refusal} />}
      </Stack>
      <div className={styles.settingAction}>
        <ActionButton
          variant="default"
          aria-label={t(`connectors.${verb}.what`, { title })}
          why={asking ? t('connectors.asked') : null}
          onClick={() => void move()}
        >
          {t(`connectors.${verb}`)}
        </ActionButton>
      </div>
    </div>
  )
}
