/** The attic: everything that was taken out of service, where its bytes are and whether they are still what was put there. */
import { Group } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import type { AtticEntry, AtticLook } from '../../../src-main/contract/services/attic.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { Await } from '../../parts/Await.tsx'
import { CopyAction } from '../../parts/CopyAction.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { Facts } from '../../parts/Facts.tsx'
import { timeUtc, useFormats } from '../../parts/formats.ts'
import { Section } from '../../parts/Section.tsx'
import { ToneBadge } from '../../parts/tone.tsx'
import { VirtualList } from '../../parts/VirtualList.tsx'
import { valueOf } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'
import { useWords, type Translate } from '../../words/words.tsx'
import { ListCut } from '../copies/ListCut.tsx'
import { hrefOf } from '../../routes/routes.ts'
import { AtticRestore } from './AtticRestore.tsx'
import { ChecksumsCompared } from './ChecksumsCompared.tsx'
import { atticTones } from './repairLooks.ts'
import styles from './repair.module.css'

export function AtticTab() {
  const t = useWords()
  const { repairs: store } = useSession()
  const { attic, load, glance } = useStore(store)
  useEffect(() => void load(), [load])
  // Content of an entry may have been moved since, and new entries were not verified yet.
  const newest = valueOf(attic)?.[0]
  const newestState = newest && `${newest.id} ${newest.where}`
  useEffect(() => {
    if (newestState !== undefined) void glance()
  }, [glance, newestState])
  const [restored, setRestored] = useState<AtticEntry | null>(null)
  return (
    <Await of={attic} onRetry={() => void load()}>
      {(entries) =>
        entries.length === 0 ? (
          <EmptyState title={t('attic.none')} text={t('attic.none.text')} />
        ) : (
          <Section title={t('attic.title')}>
            <p className="dimmed lead">{t('attic.text')}</p>
            <div className={styles.attic}>
              <VirtualList label={t('attic.title')} rows={entries} rowKey={({ id }) => id}>
                {(entry) => <Entry entry={entry} onRestore={() => setRestored(entry)} />}
              </VirtualList>
            </div>
            <ListCut of="attic" count={entries.length} />
            <AtticRestore entry={restored} onClose={() => setRestored(null)} />
          </Section>
        )
      }
    </Await>
  )
}

function Entry({ entry, onRestore }: { entry: AtticEntry; onRestore: () => void }) {
  const t = useWords()
  const { bytes } = useFormats()
  const { repairs: store } = useSession()
  const { looks, readEntry } = useStore(store)
  const [isReading, setReading] = useState(false)
  const { id, name, replica, at, who, reason, sha256, registered, where, brought, restoredAs } = entry
  const look = looks.get(id)
  return (
    <article aria-label={t('attic.entry', { id, name })}>
      <Group justify="space-between" gap="xs" mb={4}>
        <Group gap="xs">
          <strong className="wrap">{t('attic.entry', { id, name })}</strong>
          {look && <ToneBadge tone={atticTones[look.state]} text={t(`attic.look.${look.state}`)} />}
        </Group>
        <Group gap="xs">
          <ActionButton
            size="xs"
            variant="default"
            why={isReading ? t('attic.reading') : whyNotRead(entry, look, t)}
            aria-label={t('attic.read.of', { id })}
            onClick={() => {
              setReading(true)
              void readEntry(id).finally(() => setReading(false))
            }}
          >
            {t('attic.read')}
          </ActionButton>
          <ActionButton
            size="xs"
            variant="default"
            why={whyNotBeside(entry, look, t)}
            aria-label={t('attic.restore.of', { id })}
            onClick={onRestore}
          >
            {t('attic.restore')}
          </ActionButton>
        </Group>
      </Group>
      <p className={`wrap ${styles.atticLook}`} role="status">
        {isReading ? t('attic.reading') : look?.text}
      </p>
      <Facts
        facts={[
          { name: t('attic.replica'), value: replica },
          { name: t('attic.at'), value: timeUtc(at) },
          {
            name: t('attic.who'),
            value: who === 'person' || who === 'recovery' ? t(`attic.who.${who}`) : who,
          },
          { name: t('attic.bytes'), value: entry.bytes === null ? '–' : bytes(entry.bytes) },
          {
            name: t('attic.brought'),
            value:
              brought === null ? (
                <>
                  {t('attic.brought.not')}{' '}
                  <a href={hrefOf({ place: 'repair', file: name, replica })}>{t('attic.finish')}</a>
                </>
              ) : (
                timeUtc(brought)
              ),
          },
          {
            name: t('attic.restored'),
            value:
              restoredAs === null ? (
                t('attic.restored.not')
              ) : (
                <a href={hrefOf({ place: 'file', file: restoredAs })}>{restoredAs}</a>
              ),
          },
        ]}
      />
      <dl className={styles.atticLines}>
        <div>
          <dt>{t('attic.reason')}</dt>
          <dd className="wrap">{reason}</dd>
        </div>
        <div>
          <dt>{t('attic.where')}</dt>
          <dd className="wrap">
            {where === null ? (
              t(entry.state === 'open' ? 'attic.where.open' : 'attic.where.noReplica', { replica })
            ) : (
              <span className="with-copy">
                <span className="mono wrap">{where}</span>
                <CopyAction text={where} what={t('attic.path', { id })} />
              </span>
            )}
          </dd>
        </div>
      </dl>
      <ChecksumsCompared
        lines={[
          { name: t('attic.should'), sha256: registered },
          { name: t('attic.had'), ...(sha256 === null ? { text: t('attic.had.unread') } : { sha256 }) },
        ]}
      />
    </article>
  )
}

function whyNotRead(entry: AtticEntry, look: AtticLook | undefined, t: Translate): string | null {
  if (entry.sha256 === null) return t('attic.restore.why.unread')
  return look?.state === 'none' || entry.bytes === null ? t('attic.restore.why.none') : null
}

function whyNotBeside(entry: AtticEntry, look: AtticLook | undefined, t: Translate): string | null {
  switch (look?.state) {
    case 'none':
    case 'gone':
    case 'changed':
      return t(`attic.restore.why.${look.state}`)
    default:
      return entry.sha256 === null ? t('attic.restore.why.unread') : null
  }
}
