/** Observations of each copy over time: as a strip, the oldest on the left, and as rows with checksums. A checksum that differs from the
 *  registered one is marked by colour, symbol and text. */
import type { CopyObservation, FileHistory } from '../../../src-main/contract/services/archivedFiles.ts'
import { CopyAction } from '../../parts/CopyAction.tsx'
import { checksumStart, timeUtc, useFormats } from '../../parts/formats.ts'
import { Section } from '../../parts/Section.tsx'
import { ToneBadge } from '../../parts/tone.tsx'
import { useWords } from '../../words/words.tsx'
import { observationTones } from './copyTones.ts'
import styles from './archivedFile.module.css'

export function Observations({ history: { file, observations } }: { history: FileHistory }) {
  const t = useWords()
  const byReplica = [...Map.groupBy(observations, ({ replica }) => replica)].toSorted(([one], [other]) =>
    one.localeCompare(other),
  )
  return (
    <Section title={t('observations.title')}>
      <p className="lead">{t('observations.text')}</p>
      {byReplica.length === 0 && <p className="dimmed">{t('observations.none')}</p>}
      {byReplica.map(([replica, seen]) => (
        <OfReplica key={replica} replica={replica} observations={seen} registered={file.sha256} />
      ))}
    </Section>
  )
}

interface OfReplicaProps {
  replica: string
  /** Newest first. */
  observations: readonly CopyObservation[]
  registered: string
}

function OfReplica({ replica, observations, registered }: OfReplicaProps) {
  const t = useWords()
  const { bytes, count } = useFormats()
  const label = t('observations.of', { replica })
  return (
    <section className={styles.observations} aria-label={label}>
      <h3>{replica}</h3>
      <ol className={styles.observationStrip} aria-hidden>
        {observations.toReversed().map((observation) => (
          <li
            key={`${observation.first} ${observation.seen}`}
            data-tone={observationTones[observation.seen]}
            title={`${t(`observations.seen.${observation.seen}`)}, ${timeUtc(observation.first)}`}
          />
        ))}
      </ol>
      <div className="table-scroll" tabIndex={0} role="group" aria-label={label}>
        <table className={styles.observationTable} aria-label={label}>
          <thead>
            <tr>
              <th scope="col">{t('observations.seen')}</th>
              <th scope="col">{t('observations.checksum')}</th>
              <th scope="col">{t('observations.first')}</th>
              <th scope="col">{t('observations.last')}</th>
              <th scope="col" data-numeric>
                {t('observations.times')}
              </th>
            </tr>
          </thead>
          <tbody>
            {observations.map((observation) => (
              <tr key={`${observation.first} ${observation.seen}`}>
                <td>
                  <ToneBadge
                    tone={observationTones[observation.seen]}
                    text={t(`observations.seen.${observation.seen}`)}
                  />
                </td>
                <td>
                  <Read observation={observation} registered={registered} size={bytes} />
                </td>
                <td>{timeUtc(observation.first)}</td>
                <td>{timeUtc(observation.last)}</td>
                <td data-numeric>{count(observation.times)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

interface ReadProps {
  observation: CopyObservation
  registered: string
  size: (bytes: number) => string
}

function Read({ observation: { sha256, bytes, seen }, registered, size }: ReadProps) {
  const t = useWords()
  if (sha256 === null) {
    if (seen === 'wrongLength' && bytes !== null) return t('observations.length', { size: size(bytes) })
    return t(seen === 'missing' ? 'observations.nothing' : 'observations.notRead')
  }
  const isRegistered = sha256 === registered
  return (
    <span className="with-copy">
      <span className="mono" data-tone={isRegistered ? undefined : 'failed'} title={sha256}>
        {checksumStart(sha256)}
      </span>
      <CopyAction text={sha256} what={t('observations.checksum')} />
      <span className="dimmed">{t(isRegistered ? 'observations.registered' : 'observations.different')}</span>
    </span>
  )
}
