/** Evidence in a kept report: the last hash of the audit log, and the checks. */
import { Text } from '@mantine/core'
import type { PreservationReport } from '../../../src-main/contract/services/archiveStatus.ts'
import { taskStates } from '../../../src-main/contract/states/taskStates.ts'
import { timeUtc, useFormats } from '../../parts/formats.ts'
import { Section } from '../../parts/Section.tsx'
import { StateBadge, ToneBadge } from '../../parts/tone.tsx'
import { useWords } from '../../words/words.tsx'
import { ReportTable } from './ReportTable.tsx'
import styles from './report.module.css'

export function Proof({ report: { audit, checks, lastSpotCheck } }: { report: PreservationReport }) {
  const t = useWords()
  const { count } = useFormats()
  const { whole, entries, broken, head, witness } = audit
  return (
    <>
      <Section title={t('report.audit')}>
        <ToneBadge tone={whole ? 'done' : 'failed'} text={t(whole ? 'audit.whole' : 'audit.broken')} />
        <Text mt={4}>
          {broken ? t(`audit.broken.${broken.kind}`, { number: broken.number }) : t('audit.whole.text', { entries })}{' '}
          {t(`audit.witness.${witness.state}`, { number: witness.number ?? 0 })}
        </Text>
        {head !== null && <p className="mono wrap">{t('report.audit.head', { hash: head })}</p>}
      </Section>
      <Section title={t('report.checks')}>
        {checks.length === 0 ? (
          <Text>{t('report.checks.none')}</Text>
        ) : (
          <ReportTable
            label={t('report.checks')}
            heads={[
              t('report.check'),
              t('report.check.kind'),
              t('report.replicas'),
              t('report.check.state'),
              t('report.check.copies'),
              t('report.findings'),
              t('report.check.ended'),
            ]}
            rows={checks.map(({ task, kind, replicas, state, filesDone, filesTotal, findings, ended }) => ({
              key: task,
              cells: [
                count(task),
                t(`report.check.${kind}`),
                replicas.join(', '),
                <StateBadge key="state" table={taskStates} state={state} />,
                t('report.check.copiesOf', { done: count(filesDone), total: count(filesTotal) }),
                count(findings),
                ended === null ? '–' : timeUtc(ended),
              ],
            }))}
          />
        )}
      </Section>
      <Section title={t('report.spotCheck')}>
        {lastSpotCheck === null ? (
          <Text>{t('report.spotCheck.none')}</Text>
        ) : (
          <ReportTable
            label={t('report.spotCheck')}
            heads={[t('report.file'), t('report.when'), t('report.finding')]}
            rows={lastSpotCheck.files.map(({ name, at, verdict }) => ({
              key: name,
              cells: [
                <span key="file" className={styles.reportFile}>
                  {name}
                </span>,
                timeUtc(at),
                t(`report.spot.${verdict}`),
              ],
            }))}
          />
        )}
      </Section>
    </>
  )
}
