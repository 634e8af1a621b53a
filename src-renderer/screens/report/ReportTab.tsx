/** The preservation report: on screen, on paper, and as a file to keep elsewhere. */
import { Button, Group, Text, Title } from '@mantine/core'
import { Download, Printer, RefreshCw } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { reportFormats } from '../../../src-main/contract/shapes/choices.ts'
import type { PreservationReport } from '../../../src-main/contract/services/archiveStatus.ts'
import { ActionButton } from '../../parts/ActionButton.tsx'
import { Await } from '../../parts/Await.tsx'
import { saveText } from '../../parts/csv.ts'
import { timeUtc } from '../../parts/formats.ts'
import { ToneBadge } from '../../parts/tone.tsx'
import type { ReportFormat } from '../../state/report.ts'
import { useSession } from '../../state/session.tsx'
import { useWords } from '../../words/words.tsx'
import { Backups } from './Backups.tsx'
import { Conditions, Levels } from './Levels.tsx'
import { Overall, PerReplica } from './Overall.tsx'
import { Proof } from './Proof.tsx'
import { Trouble } from './Trouble.tsx'
import styles from './report.module.css'

export function ReportTab() {
  const t = useWords()
  const { report: store } = useSession()
  const { report, making, make } = useStore(store)
  useEffect(() => {
    if (store.getState().report === null) void make()
  }, [store, make])
  return (
    <>
      <Actions />
      {making && (
        <Text size="sm" c="dimmed" role="status" className={styles.offPaper}>
          {t('report.making')}
        </Text>
      )}
      {report && (
        <Await of={report} onRetry={() => void make()}>
          {(made) => <Report report={made} />}
        </Await>
      )}
    </>
  )
}

function Actions() {
  const t = useWords()
  const { report: store } = useSession()
  const { report, making, make, made } = useStore(store)
  const [saved, setSaved] = useState('')
  const why = making || report?.is !== 'ready' ? t('report.save.why') : null

  async function save(format: ReportFormat): Promise<void> {
    setSaved('')
    const answer = await made(format)
    if (!answer) return
    saveText(answer.name, answer.text, answer.mediaType)
    setSaved(answer.name)
  }

  return (
    <div className={styles.offPaper}>
      <Group gap="xs" mb="sm">
        <Button
          leftSection={<RefreshCw size={16} aria-hidden />}
          variant="default"
          loading={making}
          onClick={() => {
            setSaved('')
            void make()
          }}
        >
          {t('report.again')}
        </Button>
        {reportFormats.map((format) => (
          <ActionButton
            key={format}
            variant="default"
            why={why}
            leftSection={<Download size={16} aria-hidden />}
            onClick={() => void save(format)}
          >
            {t('report.save', { format: t(`report.save.${format}`) })}
          </ActionButton>
        ))}
        <ActionButton why={why} leftSection={<Printer size={16} aria-hidden />} onClick={() => window.print()}>
          {t('report.print')}
        </ActionButton>
      </Group>
      <Text size="sm" c="dimmed" role="status">
        {saved !== '' && t('report.saved', { name: saved })}
      </Text>
    </div>
  )
}

function Report({ report }: { report: PreservationReport }) {
  const t = useWords()
  return (
    <div className="report">
      <Title order={2} className={styles.onPaper}>
        {t('report.title')}
      </Title>
      <Group gap="sm" mt="sm">
        <ToneBadge tone={report.fine ? 'done' : 'attention'} text={t(report.fine ? 'report.fine' : 'report.notFine')} />
        <Text size="sm">{t('report.made', { at: timeUtc(report.at), software: report.software })}</Text>
      </Group>
      <p className={`dimmed mono wrap ${styles.reportArchive}`}>
        {t('report.of')}: {report.archive}
      </p>
      <Overall report={report} />
      <PerReplica report={report} />
      <Backups report={report} />
      <Levels report={report} />
      <Trouble report={report} />
      <Proof report={report} />
      <Conditions report={report} />
    </div>
  )
}
