/** All fields of one entry, with the two hashes that link it to its neighbours. */
import { Modal, Text } from '@mantine/core'
import type { AuditEntry } from '../../../src-main/contract/services/audit.ts'
import { CopyAction } from '../../parts/CopyAction.tsx'
import { Facts } from '../../parts/Facts.tsx'
import { timeUtc, useFormats } from '../../parts/formats.ts'
import { useWords } from '../../words/words.tsx'
import { entryWords, originWords, detailFacts } from './entryWords.ts'
import { ActorLink, SubjectLink } from './EntryLinks.tsx'
import styles from './audit.module.css'

export function EntryDetails({ entry, onClose }: { entry: AuditEntry | null; onClose: () => void }) {
  const t = useWords()
  return (
    <Modal
      opened={entry !== null}
      onClose={onClose}
      size="xl"
      title={entry ? t('audit.details.of', { number: entry.number }) : ''}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      {entry && <Details entry={entry} />}
    </Modal>
  )
}

function Details({ entry }: { entry: AuditEntry }) {
  const t = useWords()
  const formats = useFormats()
  const language = { t, formats }
  return (
    <>
      <Text fw={600} mb="sm">
        {entryWords(language, entry).what}
      </Text>
      <Facts
        facts={[
          { name: t('audit.at'), value: timeUtc(entry.at) },
          { name: t('audit.who'), value: <ActorLink entry={entry} /> },
          { name: t('audit.origin'), value: originWords(language, entry).whole },
          { name: t('audit.subject'), value: <SubjectLink entry={entry} /> },
        ]}
      />
      <Told title={t('audit.before')} facts={detailFacts(language, entry.was)} />
      <Told title={t('audit.after')} facts={detailFacts(language, entry.became)} />
      <Hash name={t('audit.hash')} hash={entry.hash} />
      {/^0{64}$/.test(entry.previous) ? (
        <Text size="sm" mt="xs">
          {t('audit.previous')}: {t('audit.previous.first')}
        </Text>
      ) : (
        <Hash name={t('audit.previous')} hash={entry.previous} />
      )}
      <Text size="sm" c="dimmed" mt="sm" maw="75ch">
        {t('audit.hash.meaning')}
      </Text>
    </>
  )
}

function Told({ title, facts }: { title: string; facts: { name: string; value: string }[] }) {
  if (facts.length === 0) return null
  return (
    <div className={styles.details}>
      <Text component="h3" size="sm" fw={600}>
        {title}
      </Text>
      <div className={`facts-stacked ${styles.lines}`}>
        <Facts facts={facts} />
      </div>
    </div>
  )
}

function Hash({ name, hash }: { name: string; hash: string }) {
  return (
    <div className={styles.hash}>
      <Text size="xs" c="dimmed">
        {name}
      </Text>
      <span className="with-copy">
        <span className="mono wrap">{hash}</span>
        <CopyAction text={hash} what={name} />
      </span>
    </div>
  )
}
