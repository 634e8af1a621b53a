/** What makes a kept report a witness: the audit trail with its last hash, and what was looked at. */
import { Text } from '@mantine/core'
import type { PreservationReport } from '../../../src-main/contract/services/archive.ts'
import { checkStates } from '../../../src-main/contract/states/states.ts'
import { timeUtc, useFormats } from '../../parts/formats.ts'
import { Section } from '../../parts/Section.tsx'
import { StateBadge, ToneBadge } from '../../parts/tone.tsx'
import { useWords } from '../../words/words.tsx'
import { ReportTable } from './ReportTable.tsx'
import styles from './report.module.css'

export function Proof({ report: { audit, checks, lastSpotCheck } }: { report: PreservationReport }) {
  const say = useWords()
  const { count } = useFormats()
  const { whole, entries, broken, head, witness } = audit
  return (
    <>
      <Section title={say('report.audit')}>
        <ToneBadge tone={whole ? 'done' : 'failed'} text={say(whole ? 'audit.whole' : 'audit.broken')} />
        <Text mt={4}>
          {broken
            ? say(`audit.broken.${broken.kind}`, { number: broken.number })
            : say('audit.whole.text', { entries })}{' '}
          {say(`audit.witness.${witness.state}`, { number: witness.number ?? 0 })}
        </Text>
        {head !== null && <p className="mono wrap">{say('report.audit.head', { hash: head })}</p>}
      </Section>
      <Section title={say('report.checks')}>
        {checks.length === 0 ? (
          <Text>{say('report.checks.none')}</Text>
        ) : (
          <ReportTable
            label={say('report.checks')}
            heads={[
              say('report.check'),
              say('report.check.kind'),
              say('report.replicas'),
              say('report.check.state'),
              say('report.check.copies'),
              say('report.findings'),
              say('report.check.ended'),
            ]}
            rows={checks.map(({ check, kind, replicas, state, filesDone, filesTotal, findings, ended }) => ({
              key: check,
              cells: [
                count(check),
                say(`report.check.${kind}`),
                replicas.join(', '),
                <StateBadge key="state" table={checkStates} state={state} />,
                say('report.check.copiesOf', { done: count(filesDone), total: count(filesTotal) }),
                count(findings),
                ended === null ? '–' : timeUtc(ended),
              ],
            }))}
          />
        )}
      </Section>
      <Section title={say('report.spotCheck')}>
        {lastSpotCheck === null ? (
          <Text>{say('report.spotCheck.none')}</Text>
        ) : (
          <ReportTable
            label={say('report.spotCheck')}
            heads={[say('report.file'), say('report.when'), say('report.finding')]}
            rows={lastSpotCheck.files.map(({ name, at, verdict }) => ({
              key: name,
              cells: [
                <span key="file" className={styles.reportFile}>
                  {name}
                </span>,
                timeUtc(at),
                say(`report.spot.${verdict}`),
              ],
            }))}
          />
        )}
      </Section>
    </>
  )
}
