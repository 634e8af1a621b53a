/** One entry of the attic: the copy, its checksums, its content, and what can be done with it. */
import { Group } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useStore } from 'zustand'
import type { AtticEntry, AtticCheck } from '../../../src-main/contract/services/attic.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { CopyAction } from '../../parts/CopyAction.tsx'
import { Facts } from '../../parts/Facts.tsx'
import { timeUtc, useFormats } from '../../parts/formats.ts'
import { ToneBadge } from '../../parts/tone.tsx'
import { hrefOf } from '../../routes/routes.ts'
import { useSession } from '../../state/session.tsx'
import { useWords, type Translate } from '../../words/words.tsx'
import { ChecksumsCompared } from './ChecksumsCompared.tsx'
import { atticTones } from './repairTones.ts'
import styles from './repair.module.css'

export function AtticRow({ entry, onRestore }: { entry: AtticEntry; onRestore: () => void }) {
  const t = useWords()
  const { repairs: store } = useSession()
  const { looks, readEntry } = useStore(store)
  const [isReading, setReading] = useState(false)
  const { id, name, sha256, registered } = entry
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
            why={whyNotRestored(entry, look, t)}
            aria-label={t('attic.restore.of', { id })}
            onClick={onRestore}
          >
            {t('attic.restore')}
          </ActionButton>
        </Group>
      </Group>
      <p className={`wrap ${styles.atticLook}`} role="status">
        {isReading ? t('attic.reading') : look && t(look.message)}
      </p>
      <EntryFacts entry={entry} />
      <EntryLines entry={entry} />
      <ChecksumsCompared
        lines={[
          { name: t('attic.should'), sha256: registered },
          { name: t('attic.had'), ...(sha256 === null ? { text: t('attic.had.unread') } : { sha256 }) },
        ]}
      />
    </article>
  )
}

function EntryFacts({ entry }: { entry: AtticEntry }) {
  const t = useWords()
  const { bytes } = useFormats()
  const { replica, at, who } = entry
  return (
    <Facts
      facts={[
        { name: t('attic.replica'), value: replica },
        { name: t('attic.at'), value: timeUtc(at) },
        { name: t('attic.who'), value: who === 'user' || who === 'recovery' ? t(`attic.who.${who}`) : who },
        { name: t('attic.bytes'), value: entry.bytes === null ? '–' : bytes(entry.bytes) },
        { name: t('attic.replaced'), value: <Replaced entry={entry} /> },
        { name: t('attic.restored'), value: <Restored entry={entry} /> },
      ]}
    />
  )
}

/** When the good copy was put in place. An interrupted repair can still be finished. */
function Replaced({ entry: { replaced, name, replica } }: { entry: AtticEntry }) {
  const t = useWords()
  if (replaced !== null) return timeUtc(replaced)
  return (
    <>
      {t('attic.replaced.not')} <a href={hrefOf({ place: 'repair', file: name, replica })}>{t('attic.finish')}</a>
    </>
  )
}

function Restored({ entry: { restoredAs } }: { entry: AtticEntry }) {
  const t = useWords()
  if (restoredAs === null) return t('attic.restored.not')
  return <a href={hrefOf({ place: 'file', file: restoredAs })}>{restoredAs}</a>
}

/** Texts that may be long: why the copy was replaced, and where its content is now. */
function EntryLines({ entry }: { entry: AtticEntry }) {
  const t = useWords()
  return (
    <dl className={styles.atticLines}>
      <Line name={t('attic.reason')}>{t(entry.reason)}</Line>
      <Line name={t('attic.where')}>
        <Where entry={entry} />
      </Line>
    </dl>
  )
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="wrap">{children}</dd>
    </div>
  )
}

function Where({ entry: { id, where, state, replica } }: { entry: AtticEntry }) {
  const t = useWords()
  if (where === null) return t(state === 'open' ? 'attic.where.open' : 'attic.where.noReplica', { replica })
  return (
    <span className="with-copy">
      <span className="mono wrap">{where}</span>
      <CopyAction text={where} what={t('attic.path', { id })} />
    </span>
  )
}

function whyNotRead(entry: AtticEntry, look: AtticCheck | undefined, t: Translate): string | null {
  if (entry.sha256 === null) return t('attic.restore.why.unread')
  return look?.state === 'none' || entry.bytes === null ? t('attic.restore.why.none') : null
}

function whyNotRestored(entry: AtticEntry, look: AtticCheck | undefined, t: Translate): string | null {
  switch (look?.state) {
    case 'none':
    case 'gone':
    case 'changed':
      return t(`attic.restore.why.${look.state}`)
    default:
      return entry.sha256 === null ? t('attic.restore.why.unread') : null
  }
}
