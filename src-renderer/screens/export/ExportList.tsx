/** Exports that are running or have ended, with their progress, and whether their output was compared with the archive. */
import { exportLists } from '../../../src-main/contract/shapes/choices.ts'
import { Alert, Text } from '@mantine/core'
import { Check, Download, FolderOpen, Info, Square, TriangleAlert } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { exportedMessage, type ExportSummary } from '../../../src-main/contract/services/exports.ts'
import type { Fault } from '../../../src-main/contract/calls/faults.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { Await } from '../../parts/Await.tsx'
import { CopyAction } from '../../parts/CopyAction.tsx'
import { FaultNote } from '../../parts/FaultNote.tsx'
import { useFormats } from '../../parts/formats.ts'
import { LongTask } from '../../parts/LongTask.tsx'
import { Section } from '../../parts/Section.tsx'
import { TaskBadge } from '../../parts/tone.tsx'
import { faultFrom } from '../../state/loaded.ts'
import { useSession } from '../../state/session.tsx'
import { useWords, type Translate } from '../../words/words.tsx'
import { selectionNamed } from '../selection/selectionWords.ts'
import styles from './export.module.css'

export function ExportList() {
  const { exports: store } = useSession()
  const { rows, load } = useStore(store)
  return (
    <Await of={rows} onRetry={() => void load()}>
      {(list) => <Exports list={list} />}
    </Await>
  )
}

function Exports({ list }: { list: readonly ExportSummary[] }) {
  const t = useWords()
  const [before] = useState(() => new Set(list.map((one) => one.task)))
  if (list.length === 0) return null
  return (
    <Section title={t('exports.title')}>
      <ul className="exports" aria-label={t('exports.title')}>
        {list.map((one) => (
          <Export key={one.task} one={one} isNew={!before.has(one.task)} />
        ))}
      </ul>
    </Section>
  )
}

interface ExportProps {
  one: ExportSummary
  /** Started while the dialog was open. It is scrolled into view when it starts and when it ends, because its result appears below. */
  isNew: boolean
}

function Export({ one, isNew }: ExportProps) {
  const t = useWords()
  const { exports: store, shell } = useSession()
  const { samples, stop } = useStore(store)
  const [fault, setFault] = useState<Fault | null>(null)
  const take = () => {
    setFault(null)
    shell.exported.open(one.task).catch((error: unknown) => setFault(faultFrom(error)))
  }
  const running = one.ended === null
  const item = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isNew) item.current?.scrollIntoView({ block: 'nearest' })
  }, [isNew, running])
  const TakeIcon = shell.exported.is === 'folder' ? FolderOpen : Download
  return (
    <li ref={item}>
      <LongTask
        name={exportName(t, one)}
        badge={<TaskBadge task={one} />}
        unit="bytes"
        done={one.bytesDone}
        total={one.bytesTotal}
        running={running}
        samples={samples[one.task] ?? []}
        actions={
          running && (
            <ActionButton
              size="xs"
              variant="default"
              leftSection={<Square size={14} aria-hidden />}
              onClick={() => void stop(one.task)}
            >
              {t('check.stop')}
            </ActionButton>
          )
        }
      />
      <p className="with-copy export-path">
        <span className="mono wrap">{one.request.path}</span>
        <CopyAction text={one.request.path} what={t('export.path')} />
        {one.verified && (
          <ActionButton
            size="compact-xs"
            variant="default"
            leftSection={<TakeIcon size={14} aria-hidden />}
            onClick={take}
          >
            {t(`export.take.${shell.exported.is}`)}
          </ActionButton>
        )}
      </p>
      {fault && <FaultNote fault={fault} />}
      <Result one={one} />
    </li>
  )
}

function exportName(t: Translate, { task: number, request }: ExportSummary): string {
  const what = request.matching ? t(exportedMessage(request)) : selectionNamed(t, request)
  return t('export.name', { number, what })
}

function Result({ one }: { one: ExportSummary }) {
  const t = useWords()
  const { bytes } = useFormats()
  const { verified, complete, request, problem, remarks, figures } = one
  const { records } = figures
  const size = bytes(figures.bytes)
  return (
    <div role="status">
      {verified && (
        <Text size="sm" className={styles.exportResult} data-tone={complete ? 'done' : 'attention'}>
          {complete ? <Check size={16} aria-hidden /> : <TriangleAlert size={16} aria-hidden />}
          {t(exportLists.includes(request.format) ? 'export.done.csv' : 'export.done', { records, size })}
        </Text>
      )}
      {problem !== null && (
        <Alert color="red" mt="xs" p="xs">
          {t(problem)}
        </Alert>
      )}
      {remarks.map(t).map((remark) => (
        <Alert
          key={remark}
          role="note"
          color={complete ? 'gray' : 'yellow'}
          icon={complete ? <Info aria-hidden /> : <TriangleAlert aria-hidden />}
          mt="xs"
          p="xs"
        >
          {remark}
        </Alert>
      ))}
    </div>
  )
}
