/** The address of a URL as a link to its capture: in the viewer, or as a record when a browser cannot show its type. The address keeps its
 *  end when it is shortened, since that distinguishes the files of a folder. */
import type { DocumentRow } from '../../../src-main/contract/services/documents.ts'
import type { JobWhole } from '../../../src-main/contract/services/jobDetails.ts'
import { LongAddress } from '../../parts/LongAddress.tsx'
import { hrefOf, type Route } from '../../routes/routes.ts'
import { browserShows } from './browserShows.ts'
import styles from './job.module.css'

export function DocumentLink({ job, row: { url, outcome, mediaType } }: { job: JobWhole; row: DocumentRow }) {
  const isCaptured = outcome === 'fetched' && job.ended !== null && job.definition.connectors?.output !== 'null'
  if (!isCaptured) return <LongAddress address={url} />
  const to: Route = browserShows(mediaType)
    ? { place: 'viewer', jobs: [job.job], url }
    : { place: 'capture', job: job.job, url }
  return (
    <a className={styles.longAddressLink} href={hrefOf(to)}>
      <LongAddress address={url} />
    </a>
  )
}
