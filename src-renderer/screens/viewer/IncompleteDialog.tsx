/** Lists what is missing from an incomplete view: jobs, files and records, each with its reason, a link and the possible actions. Opened by
 *  the badge of the view. */
import { Modal, Stack, Text, Title, UnstyledButton } from '@mantine/core'
import type { ReactNode } from 'react'
import { useStore } from 'zustand'
import type { ViewSummary } from '../../../src-main/contract/services/viewer.ts'
import { useFormats } from '../../parts/formats.ts'
import { valueOf } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'
import { type Translate, useWords } from '../../words/words.tsx'
import { hrefOf } from '../../routes/routes.ts'
import styles from './viewer.module.css'

/** Kinds and numbers of gaps; empty when nothing is missing. */
export function lackingWords(t: Translate, { jobsMissing, filesMissing, quarantined }: ViewSummary): string {
  const counts = { jobs: jobsMissing.length, files: filesMissing.count, findings: quarantined.count }
  return (['jobs', 'files', 'findings'] as const)
    .filter((kind) => counts[kind] > 0)
    .map((kind) => t(`incomplete.badge.${kind}`, { count: counts[kind] }))
    .join(', ')
}

interface IncompleteDialogProps {
  view: ViewSummary
  opened: boolean
  onClose: () => void
}

export function IncompleteDialog({ view, opened, onClose }: IncompleteDialogProps) {
  const t = useWords()
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size="xl"
      title={t('incomplete.title')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <Stack>
        <Text size="sm">{t('incomplete.text')}</Text>
        {view.jobsMissing.length > 0 && <MissingJobs jobs={view.jobsMissing} onClose={onClose} />}
        {view.filesMissing.count > 0 && <MissingFiles {...view.filesMissing} />}
        {view.quarantined.count > 0 && <Quarantined {...view.quarantined} />}
      </Stack>
    </Modal>
  )
}

interface LackingProps {
  title: string
  hint: ReactNode
  /** Where the list may be cut: the number of entries shown, and of all entries. */
  cut?: { shown: number; count: number }
  children: ReactNode
}

function Lacking({ title, hint, cut, children }: LackingProps) {
  const t = useWords()
  return (
    <section>
      <Title order={3} size="h5">
        {title}
      </Title>
      <p className={`dimmed ${styles.plainText}`}>{hint}</p>
      {cut && cut.shown < cut.count && <p className={`dimmed ${styles.plainText}`}>{t('incomplete.cut', cut)}</p>}
      <ul className={styles.plainList}>{children}</ul>
    </section>
  )
}

function MissingJobs({ jobs, onClose }: { jobs: readonly number[]; onClose: () => void }) {
  const t = useWords()
  const { dialogs, jobs: list } = useSession()
  const { show } = useStore(dialogs)
  const known = valueOf(useStore(list).jobs)
  const isNone = (job: number) => known?.every((one) => one.job !== job) === true
  const toImport = (
    <UnstyledButton
      className={styles.linkButton}
      onClick={() => {
        onClose()
        show('import')
      }}
    >
      {t('incomplete.toImport')}
    </UnstyledButton>
  )
  return (
    <Lacking
      title={t('incomplete.jobs')}
      hint={
        <>
          {t('incomplete.jobs.hint')} {toImport}
        </>
      }
    >
      {jobs.map((job) => (
        <li key={job}>
          {isNone(job) ? (
            t('incomplete.jobs.none', { job })
          ) : (
            <a href={hrefOf({ place: 'job', job })}>{t('viewer.jobs', { count: 1, jobs: job })}</a>
          )}
        </li>
      ))}
    </Lacking>
  )
}

function MissingFiles({ count, first }: ViewSummary['filesMissing']) {
  const t = useWords()
  return (
    <Lacking
      title={t('incomplete.files')}
      hint={
        <>
          {t('incomplete.files.hint')}{' '}
          <a href={hrefOf({ place: 'archive', tab: 'repair' })}>{t('incomplete.toRepair')}</a>
        </>
      }
      cut={{ shown: first.length, count }}
    >
      {first.map(({ name, reason }) => (
        <li key={name}>
          <a className="wrap" href={hrefOf({ place: 'file', file: name })}>
            {name}
          </a>
          <p className={`${styles.plainText} wrap`}>{t(reason)}</p>
        </li>
      ))}
    </Lacking>
  )
}

function Quarantined({ count, first }: ViewSummary['quarantined']) {
  const t = useWords()
  return (
    <Lacking title={t('incomplete.records')} hint={t('incomplete.records.hint')} cut={{ shown: first.length, count }}>
      {[...Map.groupBy(first, ({ file, offset }) => `${offset} ${file}`)].map(([place, found]) => (
        <FindingsAt key={place} found={found} />
      ))}
    </Lacking>
  )
}

/** The findings in one file or record. */
function FindingsAt({ found }: { found: ViewSummary['quarantined']['first'] }) {
  const t = useWords()
  const { count } = useFormats()
  const [{ file, offset } = { file: '', offset: null }] = found
  return (
    <li>
      <a className="wrap" href={hrefOf({ place: 'record', file, offset, number: null })}>
        {offset === null ? file : t('record.at', { file, offset: count(offset) })}
      </a>
      {found
        .map(({ reason }) => t(reason))
        .map((text) => (
          <p key={text} className={styles.plainText}>
            {text}
          </p>
        ))}
    </li>
  )
}
