/** Backups of the database in the report: whether the database would survive the loss of its drive. */
import type { PreservationReport } from '../../../src-main/contract/services/archiveStatus.ts'
import { Facts } from '../../parts/Facts.tsx'
import { timeUtc, useFormats } from '../../parts/formats.ts'
import { Section } from '../../parts/Section.tsx'
import { ToneBadge } from '../../parts/tone.tsx'
import { useWords } from '../../words/words.tsx'
import { placeLook } from '../backups/backupLooks.ts'

export function Backups({ report: { backup } }: { report: PreservationReport }) {
  const t = useWords()
  const { count, bytes } = useFormats()
  const place = placeLook(backup)
  const moment = (time: string | undefined) => (time === undefined ? t('report.notYet') : timeUtc(time).slice(0, 16))
  return (
    <Section title={t('report.backups')}>
      <div className="card">
        <Facts
          facts={[
            { name: t('report.backups.last'), value: moment(backup.last?.made) },
            { name: t('report.backups.confirmed'), value: moment(backup.last?.confirmed) },
            { name: t('report.backups.kept'), value: count(backup.kept) },
            { name: t('report.backups.size'), value: bytes(backup.bytes) },
            {
              name: t('report.backups.where'),
              value: <ToneBadge tone={place.tone} text={t(`backups.where.${place.is}`)} />,
            },
            { name: t('report.backups.folder'), value: <span className="mono wrap">{backup.folder}</span> },
          ]}
        />
        {backup.findings.map(({ kind, name, message }) => (
          <p key={`${kind} ${name}`} className="wrap">
            {t(message)}
          </p>
        ))}
      </div>
    </Section>
  )
}
