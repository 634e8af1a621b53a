/** Sections of the report on problems, lost files, votes and overdue copies. */
import { Text } from '@mantine/core'
import type { PreservationReport } from '../../../src-main/contract/services/archiveStatus.ts'
import { timeUtc, useFormats } from '../../parts/formats.ts'
import { Section } from '../../parts/Section.tsx'
import { useWords } from '../../words/words.tsx'
import { valueWords } from '../copies/checkWords.ts'
import { hrefOf } from '../../routes/routes.ts'
import { ReportTable } from './ReportTable.tsx'
import styles from './report.module.css'

export function Trouble({ report }: { report: PreservationReport }) {
  return (
    <>
      <Findings report={report} />
      <Lost report={report} />
      <Votes report={report} />
      <Spots report={report} />
      <Aging report={report} />
    </>
  )
}

interface PartProps {
  report: PreservationReport
}

function Findings({ report: { findings } }: PartProps) {
  const t = useWords()
  return (
    <Section title={t('report.wrong')}>
      {findings.length === 0 ? (
        <Text>{t('report.wrong.none')}</Text>
      ) : (
        <ReportTable
          label={t('report.wrong')}
          heads={[
            t('report.replica'),
            t('report.file'),
            t('report.finding'),
            t('report.expected'),
            t('report.found'),
            t('report.job'),
          ]}
          rows={findings.map(({ replica, name, finding, expected, found, job }) => ({
            key: `${replica}/${name}/${finding}`,
            cells: [
              replica,
              finding === 'surplus' ? <UnknownName key="file" name={name} /> : <FileName key="file" name={name} />,
              t(`finding.${finding}`),
              <span key="expected" className="mono">
                {valueWords(t, expected)}
              </span>,
              <span key="found" className="mono">
                {valueWords(t, found)}
              </span>,
              job === null ? '–' : <a href={hrefOf({ place: 'job', job })}>{job}</a>,
            ],
          }))}
        />
      )}
    </Section>
  )
}

function Lost({ report: { lost } }: PartProps) {
  const t = useWords()
  const { bytes } = useFormats()
  return (
    <Section title={t('report.lost.title')}>
      <Text mb="xs">{t(lost.length === 0 ? 'report.lost.none' : 'report.lost.text')}</Text>
      {lost.length > 0 && (
        <ReportTable
          label={t('report.lost.title')}
          heads={[t('report.file'), t('report.bytes'), t('report.job')]}
          rows={lost.map(({ name, bytes: size, job }) => ({
            key: name,
            cells: [<FileName key="file" name={name} />, bytes(size), job ?? '–'],
          }))}
        />
      )}
    </Section>
  )
}

function Votes({ report: { votes } }: PartProps) {
  const t = useWords()
  if (votes.length === 0) return null
  return (
    <Section title={t('report.votes')}>
      <ReportTable
        label={t('report.votes')}
        heads={[t('report.file'), t('report.vote.registered'), t('report.vote.copies'), t('report.vote.verdict')]}
        rows={votes.map(({ name, registeredVerdict, copies, message }) => ({
          key: name,
          cells: [
            <FileName key="file" name={name} />,
            t(`report.vote.${registeredVerdict}`),
            copies.map(({ replica, verdict }) => t(`report.copy.${verdict}`, { replica })).join(', '),
            t(message),
          ],
        }))}
      />
    </Section>
  )
}

function Spots({ report: { spots } }: PartProps) {
  const t = useWords()
  if (spots.length === 0) return null
  return (
    <Section title={t('report.spots')}>
      <ReportTable
        label={t('report.spots')}
        heads={[t('report.file'), t('report.when'), t('report.finding'), t('report.vote.copies')]}
        rows={spots.map(({ name, at, verdict, answers }) => ({
          key: `${name} ${at}`,
          cells: [
            <FileName key="file" name={name} />,
            timeUtc(at),
            t(`report.spot.${verdict}`),
            <span key="answers" className="mono">
              {answers.map(({ replica, hmac, why }) => `${replica}: ${hmac ?? (why ? t(why) : '–')}`).join('; ')}
            </span>,
          ],
        }))}
      />
    </Section>
  )
}

function Aging({ report: { aging } }: PartProps) {
  const t = useWords()
  if (aging.length === 0) return null
  return (
    <Section title={t('report.aging')}>
      <ReportTable
        label={t('report.aging')}
        heads={[
          t('report.replica'),
          t('report.file'),
          t('report.finding'),
          t('report.aging.verified'),
          t('report.aging.stored'),
        ]}
        rows={aging.map(({ replica, name, finding, verified, stored }) => ({
          key: `${replica}/${name}`,
          cells: [
            replica,
            <FileName key="file" name={name} />,
            t(`report.aging.${finding}`),
            verified === null ? t('report.notYet') : timeUtc(verified),
            timeUtc(stored),
          ],
        }))}
      />
    </Section>
  )
}

/** The file is not in the catalogue, so it has no page. */
function UnknownName({ name }: { name: string }) {
  return <span className={styles.reportFile}>{name}</span>
}

function FileName({ name }: { name: string }) {
  return (
    <a className={styles.reportFile} href={hrefOf({ place: 'file', file: name })}>
      {name}
    </a>
  )
}
