/** The address of a document: what was captured of it is one click away, in the viewer or, of a kind that no browser shows, as
 *  its record. Its end stays readable where the column is narrow: that is what tells files of a folder apart. */
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
