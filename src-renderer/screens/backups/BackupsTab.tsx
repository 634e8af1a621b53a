/** Backups of the database: their status, making one now, and the list of existing backups. */
import { Button, Group, Text } from '@mantine/core'
import { DatabaseBackup, Settings2 } from 'lucide-react'
import { useEffect } from 'react'
import { useStore } from 'zustand'
import type { BackupFinding, BackupStatus } from '../../../src-main/contract/services/backups.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { Await } from '../../parts/Await.tsx'
import { CopyAction } from '../../parts/CopyAction.tsx'
import { Facts } from '../../parts/Facts.tsx'
import { timeUtc, useFormats } from '../../parts/formats.ts'
import { Section } from '../../parts/Section.tsx'
import { ToneBadge } from '../../parts/tone.tsx'
import { ToneNote } from '../../parts/ToneNote.tsx'
import { useSession } from '../../state/session.tsx'
import { useWords, type Translate } from '../../words/words.tsx'
import { hrefOf } from '../../routes/routes.ts'
import { placeLook } from './backupLooks.ts'
import { BackupList } from './BackupList.tsx'
import { BackupWork } from './BackupWork.tsx'

export function BackupsTab() {
  const t = useWords()
  const { backups } = useSession()
  const { status, load } = useStore(backups)
  // A drive may have been connected or removed since the last load.
  useEffect(() => void load(), [load])
  return (
    <>
      <p className="dimmed lead">{t('backups.text')}</p>
      <Await of={status} onRetry={() => void load()}>
        {(known) => (
          <>
            <Findings findings={known.findings} />
            <Overview status={known} />
          </>
        )}
      </Await>
      <BackupList />
    </>
  )
}

function Findings({ findings }: { findings: readonly BackupFinding[] }) {
  const t = useWords()
  if (findings.length === 0) return null
  const isDatabaseDamaged = findings.some(({ kind }) => kind === 'database')
  return (
    <ToneNote tone={isDatabaseDamaged ? 'failed' : 'attention'} title={t('backups.findings')}>
      {findings.map(({ kind, name, message }) => (
        <p key={`${kind} ${name}`} className="wrap">
          {t(message)}
        </p>
      ))}
    </ToneNote>
  )
}

function Overview({ status }: { status: BackupStatus }) {
  const t = useWords()
  const formats = useFormats()
  const { backups } = useSession()
  const { running, asked, make } = useStore(backups)
  const { last, folder, kept, bytes, keepCount, keepDays } = status
  const place = placeLook(status)
  const isBusy = running !== null || asked !== null
  return (
    <Section
      title={t('backups.title')}
      actions={
        <Group gap="xs">
          <Button
            component="a"
            size="xs"
            variant="default"
            href={hrefOf({ place: 'settings' })}
            leftSection={<Settings2 size={16} aria-hidden />}
          >
            {t('backups.settings')}
          </Button>
          <ActionButton
            size="xs"
            why={isBusy ? t('backups.make.why') : null}
            leftSection={<DatabaseBackup size={16} aria-hidden />}
            onClick={() => void make()}
          >
            {t('backups.make')}
          </ActionButton>
        </Group>
      }
    >
      <div className="card">
        <Facts
          facts={[
            { name: t('backups.last'), value: last ? <Moment time={last.made} /> : t('backups.last.none') },
            ...(last && last.confirmed !== last.made
              ? [
                  {
                    name: t('backups.current'),
                    value: (
                      <span title={t('backups.current.meaning')}>
                        <Moment time={last.confirmed} />
                      </span>
                    ),
                  },
                ]
              : []),
            { name: t('backups.next'), value: nextWords(t, status) },
            {
              name: t('backups.kept'),
              value: t('backups.kept.value', { count: kept, size: formats.bytes(bytes) }),
            },
            { name: t('backups.rule'), value: t('backups.rule.value', { count: keepCount, days: keepDays }) },
            {
              name: t('backups.where'),
              value: (
                <ToneBadge
                  tone={place.tone}
                  text={t(`backups.where.${place.is}`)}
                  meaning={t(`backups.where.${place.is}.meaning`)}
                />
              ),
            },
          ]}
        />
        <Text size="xs" c="dimmed" mt="sm">
          {t('backups.folder')}
        </Text>
        <span className="with-copy">
          <span className="mono wrap">{folder}</span>
          <CopyAction text={folder} what={t('backups.folder.what')} />
        </span>
        {place.is === 'same' && (
          <Text size="sm" c="dimmed" mt="xs" maw="75ch">
            {t('backups.where.same.meaning')}
          </Text>
        )}
        <BackupWork />
      </div>
    </Section>
  )
}

function Moment({ time }: { time: string }) {
  const { ago } = useFormats()
  return <span title={`${timeUtc(time)} UTC`}>{ago(time, new Date())}</span>
}

function nextWords(t: Translate, { next, everyHours }: BackupStatus): string {
  if (next === null) return t(everyHours === 0 ? 'backups.next.off' : 'backups.next.later')
  return Date.parse(next) <= Date.now() ? t('backups.next.now') : `${timeUtc(next).slice(0, 16)} UTC`
}
