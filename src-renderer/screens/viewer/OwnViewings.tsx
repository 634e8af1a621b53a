/** Viewing sessions for other browsers. Each keeps the view that was chosen when it started, with its own user name and password. */
import { Button, Code, Group, Modal, Stack, Text } from '@mantine/core'
import { ExternalLink, MonitorSmartphone } from 'lucide-react'
import { useCallback, useState } from 'react'
import { useStore } from 'zustand'
import type { Fault } from '../../../src-main/contract/calls/faults.ts'
import type { OwnViewing } from '../../../src-main/contract/services/viewer.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { Await } from '../../parts/Await.tsx'
import { CopyAction } from '../../parts/CopyAction.tsx'
import { saveText } from '../../parts/csv.ts'
import { Facts } from '../../parts/Facts.tsx'
import { FaultNote } from '../../parts/FaultNote.tsx'
import { SaveAction } from '../../parts/SaveAction.tsx'
import { Section } from '../../parts/Section.tsx'
import { useLoaded } from '../../parts/useLoaded.ts'
import { faultFrom } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'
import { shownTab } from '../../state/viewTabs.ts'
import { useWords } from '../../words/words.tsx'
import type { About } from './askProxy.ts'
import { chromiumOptions } from './chromiumOptions.ts'
import { missesCsv } from './findingsCsv.ts'
import styles from './viewer.module.css'

interface OwnViewingsDialogProps {
  opened: boolean
  onClose: () => void
}

export function OwnViewingsDialog({ opened, onClose }: OwnViewingsDialogProps) {
  const t = useWords()
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size="min(820px, 92vw)"
      title={t('own.title')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <OwnViewings />
    </Modal>
  )
}

function OwnViewings() {
  const t = useWords()
  const { services, view: store } = useSession()
  const state = useStore(store)
  const { address } = shownTab(state)
  const [own, again] = useLoaded(
    useCallback(async () => {
      const [about, viewings] = await Promise.all([services.system.about({}), services.viewer.own({})])
      return { about, viewings }
    }, [services]),
  )
  const [beginning, setBeginning] = useState(false)
  const [refusal, setRefusal] = useState<Fault | null>(null)

  async function carryOut(action: () => Promise<unknown>): Promise<void> {
    setRefusal(null)
    try {
      await action()
    } catch (error) {
      setRefusal(faultFrom(error))
    }
    again()
  }

  async function begin(): Promise<void> {
    const present = state.choice()
    if (!present || beginning) return
    setBeginning(true)
    await carryOut(() => services.viewer.openOwn({ ...present, ...(address === null ? {} : { url: address }) }))
    setBeginning(false)
  }

  return (
    <Stack>
      <Text size="sm">{t('own.text')}</Text>
      <Group>
        <ActionButton
          loading={beginning}
          leftSection={<MonitorSmartphone size={16} aria-hidden />}
          onClick={() => void begin()}
        >
          {t('own.begin')}
        </ActionButton>
      </Group>
      {refusal && <FaultNote fault={refusal} />}
      <Section title={t('own.list')}>
        <Await of={own} onRetry={again}>
          {({ about, viewings }) =>
            viewings.length === 0 ? (
              <p className={`dimmed ${styles.plainText}`}>{t('own.none')}</p>
            ) : (
              <ul className={styles.plainList} aria-label={t('own.list')}>
                {viewings.map((viewing) => (
                  <li key={viewing.user} className="card">
                    <Viewing
                      viewing={viewing}
                      about={about}
                      onOpen={() => carryOut(() => services.viewer.openBrowser({ user: viewing.user }))}
                      onLeave={() => void carryOut(() => services.viewer.leave({ user: viewing.user }))}
                    />
                  </li>
                ))}
              </ul>
            )
          }
        </Await>
      </Section>
    </Stack>
  )
}

/** Loaded once: the other browser continues, and its list is not followed here. */
function SaveMisses({ user }: { user: string }) {
  const t = useWords()
  const { services } = useSession()

  async function save(setStatus: (text: string) => void): Promise<void> {
    const misses = await services.missing.list({ viewing: user })
    if (misses.length > 0) saveText(`missing-${user}.csv`, missesCsv(misses, t))
    setStatus(misses.length > 0 ? '' : t('misses.none'))
  }

  return <SaveAction text={t('own.misses')} onSave={save} />
}

interface ViewingProps {
  viewing: OwnViewing
  about: About
  onOpen: () => Promise<void>
  onLeave: () => void
}

function Viewing({ viewing, about, onOpen, onLeave }: ViewingProps) {
  const t = useWords()
  const {
    shell: { isBesideEngine },
  } = useSession()
  const [opening, setOpening] = useState(false)
  async function open(): Promise<void> {
    setOpening(true)
    await onOpen()
    setOpening(false)
  }
  const { user, password, commandToken, enter, jobs } = viewing
  const command = ['chromium', ...chromiumOptions(about, []), `"${enter}"`].join(' \\\n  ')
  const copied = [
    { name: t('own.proxy'), text: about.proxy },
    { name: t('own.user'), text: user },
    { name: t('own.password'), text: password },
    { name: t('own.enter'), text: enter },
    { name: t('own.command'), text: command },
    { name: t('own.commandToken'), text: commandToken },
    { name: t('own.commandProxy'), text: `http://${user}:${commandToken}@${about.proxy}` },
  ]
  return (
    <article aria-label={t('own.name', { user })}>
      <Group justify="space-between" mb="sm">
        <strong>{t('viewer.jobs', { count: jobs.length, jobs: jobs.join(', ') })}</strong>
        <Group gap="xs">
          {isBesideEngine && (
            <ActionButton
              needs="viewer.openBrowser"
              size="xs"
              loading={opening}
              leftSection={<ExternalLink size={14} aria-hidden />}
              onClick={() => void open()}
            >
              {t('own.open')}
            </ActionButton>
          )}
          <SaveMisses user={user} />
          <Button size="xs" variant="default" onClick={onLeave}>
            {t('own.leave')}
          </Button>
        </Group>
      </Group>
      <div className="facts-stacked">
        <Facts
          facts={copied.map(({ name, text }) => ({
            name,
            value: (
              <span className={styles.ownFact}>
                <Code block>{text}</Code>
                <CopyAction text={text} what={name} />
              </span>
            ),
          }))}
        />
      </div>
      <Text size="sm" c="dimmed" mt="sm" className="wrap">
        {t('own.certificate', { path: about.certificate.path })}
      </Text>
    </article>
  )
}
