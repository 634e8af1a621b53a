/** Files in the folders of replicas that are not in the catalogue, and what to do about them. Hidden where there are none. */
import { useEffect, useMemo, useState } from 'react'
import { useStore } from 'zustand'
import type { SurplusFile } from '../../../src-main/contract/services/archivedFiles.ts'
import { CopyAction } from '../../parts/CopyAction.tsx'
import { FaultNote } from '../../parts/FaultNote.tsx'
import { timeUtc } from '../../parts/formats.ts'
import { Section } from '../../parts/Section.tsx'
import { Table } from '../../parts/Table.tsx'
import type { Column } from '../../parts/TableFrame.tsx'
import { loadedFrom, loading, type Loaded } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { replicaColumn } from '../copies/columns.tsx'
import { ListCut } from '../copies/ListCut.tsx'
import styles from './archive.module.css'

export function SurplusFiles() {
  const t = useWords()
  const { services, archive } = useSession()
  const { revision } = useStore(archive)
  const [files, setFiles] = useState<Loaded<SurplusFile[]>>(loading)
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    let isWanted = true
    void loadedFrom(services.archive.surplus({})).then((found) => {
      if (isWanted) setFiles(found)
    })
    return () => {
      isWanted = false
    }
  }, [services, revision, attempt])
  const columns = useMemo<Column<SurplusFile>[]>(
    () => [
      {
        id: 'name',
        head: t('files.name'),
        value: ({ name }) => name,
        cell: ({ name }) => <bdi title={name}>{name}</bdi>,
      },
      replicaColumn(t),
      {
        id: 'path',
        head: t('surplus.path'),
        value: ({ path }) => path,
        cell: ({ path }) => (
          <span className={`with-copy ${styles.surplusPath}`}>
            <span className="mono" title={path}>
              {path}
            </span>
            <CopyAction text={path} what={t('surplus.path')} />
          </span>
        ),
      },
      { id: 'at', head: t('surplus.at'), value: ({ at }) => timeUtc(at), width: 172 },
    ],
    [t],
  )
  if (files.is === 'refused')
    return <FaultNote fault={files.fault} onRetry={() => setAttempt((before) => before + 1)} />
  if (files.is === 'loading' || files.value.length === 0) return null
  return (
    <Section title={t('surplus.title')}>
      <p className="lead">{t('surplus.text', { files: files.value.length })}</p>
      <Table
        label={t('surplus.title')}
        rows={files.value}
        columns={columns}
        rowKey={({ path, name }) => `${path}/${name}`}
        empty={null}
        heightMax={300}
      />
      <ListCut of="findings" count={files.value.length} />
    </Section>
  )
}
