/** One file of the archive: its properties, the state and history of each copy, the captures in it, and the actions on it. */
import { Group } from '@mantine/core'
import { Eye, FileOutput, ScrollText, ShieldCheck } from 'lucide-react'
import { useEffect, useMemo } from 'react'
import { useStore } from 'zustand'
import type { FileHistory } from '../../../src-main/contract/services/archivedFiles.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { Await } from '../../parts/Await.tsx'
import { CopyAction } from '../../parts/CopyAction.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { Facts } from '../../parts/Facts.tsx'
import { FaultNote } from '../../parts/FaultNote.tsx'
import { LinkButton } from '../../parts/LinkButton.tsx'
import { timeUtc, useFormats } from '../../parts/formats.ts'
import { PageHead } from '../../parts/PageHead.tsx'
import { ToneBadge } from '../../parts/tone.tsx'
import { makeArchivedFile } from '../../state/archivedFile.ts'
import { valueOf } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { whyNoCheck } from '../copies/checkWords.ts'
import { hrefOf } from '../../routes/routes.ts'
import { AffectedCaptures } from './AffectedCaptures.tsx'
import { CheckOfFile } from './CheckOfFile.tsx'
import { Copies } from './Copies.tsx'
import { fileBadge } from './fileBadge.ts'
import { FileAttic, FileAudit } from './FilePast.tsx'
import { Observations } from './Observations.tsx'
import styles from './archivedFile.module.css'

/** Mounted again for each file (by its key), so that its store lives as long as the screen. */
export function ArchivedFileScreen({ name }: { name: string }) {
  const t = useWords()
  const { services, archive, dialogs } = useSession()
  const store = useMemo(() => makeArchivedFile(services, name), [services, name])
  const { history, load, checkNow, asking, refusal } = useStore(store)
  const { replicas, checks, revision } = useStore(archive)
  useEffect(() => void store.getState().load(), [store, revision])
  // A drive may have been connected or removed since the last load.
  useEffect(() => void archive.getState().look(), [archive])
  const shown = valueOf(history)
  const lists = (valueOf(replicas) ?? []).filter(({ kind }) => kind === 'checksums').map(({ replica }) => replica)
  const isUnknown = history.is === 'refused' && history.fault.code === 'notFound'
  const records = shown?.file.kind === 'content' || /\.w?arc(\.gz)?$/.test(name)
  return (
    <>
      <a className="dimmed" href={hrefOf({ place: 'archive', tab: 'files' })}>
        {t('archivedFile.all')}
      </a>
      <PageHead
        title={name}
        aside={
          <>
            <CopyAction text={name} what={t('record.fileName')} />
            {shown && <ToneBadge {...fileBadge(t, shown, lists)} />}
          </>
        }
        actions={
          shown && (
            <>
              {records && (
                <LinkButton
                  variant="default"
                  leftSection={<ScrollText size={16} aria-hidden />}
                  href={hrefOf({ place: 'record', file: name, offset: null, number: null })}
                >
                  {t('archivedFile.records')}
                </LinkButton>
              )}
              <ActionButton
                needs="exports.start"
                variant="default"
                leftSection={<FileOutput size={16} aria-hidden />}
                onClick={() => dialogs.getState().show('export', { files: [name] })}
              >
                {t('job.export')}
              </ActionButton>
              <LinkButton
                variant="default"
                leftSection={<Eye size={16} aria-hidden />}
                href={hrefOf({ place: 'viewer', jobs: [], files: [name] })}
              >
                {t('job.view')}
              </LinkButton>
              <ActionButton
                needs="archive.check"
                leftSection={<ShieldCheck size={16} aria-hidden />}
                why={
                  asking
                    ? t('checkDialog.why.beginning')
                    : whyNoCheck(t, valueOf(replicas) ?? [], valueOf(checks) ?? [])
                }
                onClick={() => void checkNow()}
              >
                {t('archivedFile.check')}
              </ActionButton>
            </>
          )
        }
      />
      {isUnknown ? (
        <EmptyState title={t('archivedFile.unknown')} text={t('archivedFile.unknown.text', { name })}>
          <a href={hrefOf({ place: 'archive', tab: 'files' })}>{t('archivedFile.toList')}</a>
        </EmptyState>
      ) : (
        <Await of={history} onRetry={() => void load()}>
          {(whole) => (
            <>
              <FileFacts history={whole} />
              <div className="below-card">
                {refusal && <FaultNote fault={refusal} />}
                <CheckOfFile store={store} />
              </div>
              <Copies history={whole} store={store} />
              <Observations history={whole} />
              <AffectedCaptures store={store} history={whole} />
              <FileAttic history={whole} />
              <FileAudit history={whole} />
            </>
          )}
        </Await>
      )}
    </>
  )
}

function FileFacts({ history: { file } }: { history: FileHistory }) {
  const t = useWords()
  const formats = useFormats()
  const { job, kind, bytes, stored, sha256 } = file
  return (
    <div className="card">
      <Facts
        facts={[
          {
            name: t('finding.job'),
            value:
              job === null ? (
                t('archivedFile.noJob')
              ) : (
                <a href={hrefOf({ place: 'job', job })}>{t('archivedFile.job', { job })}</a>
              ),
          },
          { name: t('files.kind'), value: t(`files.kind.${kind}`) },
          {
            name: t('jobs.bytes'),
            value: <span title={t('archivedFile.bytes', { bytes })}>{formats.bytes(bytes)}</span>,
          },
          { name: t('files.storedAt'), value: stored ? timeUtc(stored) : t('archivedFile.notInAll') },
        ]}
      />
      <dl className={styles.fileChecksum}>
        <dt>{t('archivedFile.registered')}</dt>
        <dd>
          <Group gap={4} wrap="nowrap">
            <span className="mono wrap">{sha256}</span>
            <CopyAction text={sha256} what={t('archivedFile.registered')} />
          </Group>
        </dd>
      </dl>
    </div>
  )
}
