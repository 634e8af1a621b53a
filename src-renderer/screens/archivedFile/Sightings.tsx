/** Observations of each copy over time: as a strip, the oldest on the left, and as rows with checksums. A checksum that differs from the
 *  registered one is marked by colour, symbol and text. */
import type { CopyObservation, FileHistory } from '../../../src-main/contract/services/archivedFiles.ts'
import { CopyAction } from '../../parts/CopyAction.tsx'
import { checksumStart, timeUtc, useFormats } from '../../parts/formats.ts'
import { Section } from '../../parts/Section.tsx'
import { ToneBadge } from '../../parts/tone.tsx'
import { useWords } from '../../words/words.tsx'
import { sightingTones } from './copyLook.ts'
import styles from './archivedFile.module.css'

export function Sightings({ history: { file, sightings } }: { history: FileHistory }) {
  const t = useWords()
  const byReplica = [...Map.groupBy(sightings, ({ replica }) => replica)].toSorted(([one], [other]) =>
    one.localeCompare(other),
  )
  return (
    <Section title={t('sightings.title')}>
      <p className="lead">{t('sightings.text')}</p>
      {byReplica.length === 0 && <p className="dimmed">{t('sightings.none')}</p>}
      {byReplica.map(([replica, seen]) => (
        <OfReplica key={replica} replica={replica} sightings={seen} registered={file.sha256} />
      ))}
    </Section>
  )
}

interface OfReplicaProps {
  replica: string
  /** Newest first. */
  sightings: readonly CopyObservation[]
  registered: string
}

function OfReplica({ replica, sightings, registered }: OfReplicaProps) {
  const t = useWords()
  const { bytes, count } = useFormats()
  const label = t('sightings.of', { replica })
  return (
    <section className={styles.sightings} aria-label={label}>
      <h3>{replica}</h3>
      <ol className={styles.sightingStrip} aria-hidden>
        {sightings.toReversed().map((sighting) => (
          <li
            key={`${sighting.first} ${sighting.seen}`}
            data-tone={sightingTones[sighting.seen]}
            title={`${t(`sightings.seen.${sighting.seen}`)}, ${timeUtc(sighting.first)}`}
          />
        ))}
      </ol>
      <div className="table-scroll" tabIndex={0} role="group" aria-label={label}>
        <table className={styles.sightingTable} aria-label={label}>
          <thead>
            <tr>
              <th scope="col">{t('sightings.seen')}</th>
              <th scope="col">{t('sightings.checksum')}</th>
              <th scope="col">{t('sightings.first')}</th>
              <th scope="col">{t('sightings.last')}</th>
              <th scope="col" data-numeric>
                {t('sightings.times')}
              </th>
            </tr>
          </thead>
          <tbody>
            {sightings.map((sighting) => (
              <tr key={`${sighting.first} ${sighting.seen}`}>
                <td>
                  <ToneBadge tone={sightingTones[sighting.seen]} text={t(`sightings.seen.${sighting.seen}`)} />
                </td>
                <td>
                  <Read sighting={sighting} registered={registered} size={bytes} />
                </td>
                <td>{timeUtc(sighting.first)}</td>
                <td>{timeUtc(sighting.last)}</td>
                <td data-numeric>{count(sighting.times)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

interface ReadProps {
  sighting: CopyObservation
  registered: string
  size: (bytes: number) => string
}

function Read({ sighting: { sha256, bytes, seen }, registered, size }: ReadProps) {
  const t = useWords()
  if (sha256 === null) {
    if (seen === 'wrongLength' && bytes !== null) return t('sightings.length', { size: size(bytes) })
    return t(seen === 'missing' ? 'sightings.nothing' : 'sightings.notRead')
  }
  const isRegistered = sha256 === registered
  return (
    <span className="with-copy">
      <span className="mono" data-tone={isRegistered ? undefined : 'failed'} title={sha256}>
        {checksumStart(sha256)}
      </span>
      <CopyAction text={sha256} what={t('sightings.checksum')} />
      <span className="dimmed">{t(isRegistered ? 'sightings.registered' : 'sightings.different')}</span>
    </span>
  )
}
