/** What is wrong, what is lost, who is right, and what nobody has looked at. */
import { Text } from '@mantine/core'
import type { PreservationReport } from '../../../src-main/contract/services/archive.ts'
import { timeUtc, useFormats } from '../../parts/formats.ts'
import { Section } from '../../parts/Section.tsx'
import { useWords } from '../../words/words.tsx'
import { expectedWords } from '../copies/checkWords.ts'
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
  const say = useWords()
  const formats = useFormats()
  return (
    <Section title={say('report.wrong')}>
      {findings.length === 0 ? (
        <Text>{say('report.wrong.none')}</Text>
      ) : (
        <ReportTable
          label={say('report.wrong')}
          heads={[
            say('report.replica'),
            say('report.file'),
            say('report.finding'),
            say('report.expected'),
            say('report.found'),
            say('report.job'),
          ]}
          rows={findings.map(({ replica, name, finding, expected, found, job }) => ({
            key: `${replica}/${name}/${finding}`,
            cells: [
              replica,
              finding === 'surplus' ? <UnknownName key="file" name={name} /> : <FileName key="file" name={name} />,
              say(`finding.${finding}`),
              <span key="expected" className="mono">
                {expectedWords(formats, finding, expected)}
              </span>,
              <span key="found" className="mono">
                {expectedWords(formats, finding, found)}
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
  const say = useWords()
  const { bytes } = useFormats()
  return (
    <Section title={say('report.lost.title')}>
      <Text mb="xs">{say(lost.length === 0 ? 'report.lost.none' : 'report.lost.text')}</Text>
      {lost.length > 0 && (
        <ReportTable
          label={say('report.lost.title')}
          heads={[say('report.file'), say('report.bytes'), say('report.job')]}
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
  const say = useWords()
  if (votes.length === 0) return null
  return (
    <Section title={say('report.votes')}>
      <ReportTable
        label={say('report.votes')}
        heads={[
          say('report.file'),
          say('report.vote.registered'),
          say('report.vote.copies'),
          say('report.vote.verdict'),
        ]}
        rows={votes.map(({ name, registeredVerdict, copies, text }) => ({
          key: name,
          cells: [
            <FileName key="file" name={name} />,
            say(`report.vote.${registeredVerdict}`),
            copies.map(({ replica, verdict }) => say(`report.copy.${verdict}`, { replica })).join(', '),
            text,
          ],
        }))}
      />
    </Section>
  )
}

function Spots({ report: { spots } }: PartProps) {
  const say = useWords()
  if (spots.length === 0) return null
  return (
    <Section title={say('report.spots')}>
      <ReportTable
        label={say('report.spots')}
        heads={[say('report.file'), say('report.when'), say('report.finding'), say('report.vote.copies')]}
        rows={spots.map(({ name, at, verdict, answers }) => ({
          key: `${name} ${at}`,
          cells: [
            <FileName key="file" name={name} />,
            timeUtc(at),
            say(`report.spot.${verdict}`),
            <span key="answers" className="mono">
              {answers.map(({ replica, hmac, why }) => `${replica}: ${hmac ?? why ?? '–'}`).join('; ')}
            </span>,
          ],
        }))}
      />
    </Section>
  )
}

function Aging({ report: { aging } }: PartProps) {
  const say = useWords()
  if (aging.length === 0) return null
  return (
    <Section title={say('report.aging')}>
      <ReportTable
        label={say('report.aging')}
        heads={[
          say('report.replica'),
          say('report.file'),
          say('report.finding'),
          say('report.aging.verified'),
          say('report.aging.stored'),
        ]}
        rows={aging.map(({ replica, name, finding, verified, stored }) => ({
          key: `${replica}/${name}`,
          cells: [
            replica,
            <FileName key="file" name={name} />,
            say(`report.aging.${finding}`),
            verified === null ? say('report.notYet') : timeUtc(verified),
            timeUtc(stored),
          ],
        }))}
      />
    </Section>
  )
}

/** The catalogue does not know it, so it has no page. */
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
