/** Interfaces of connectors. A repository connector defines where the documents of a harvest come from: how seeds are written, how
 *  a document is fetched, and what it links to. An output connector defines how documents are kept. Everything in between (queue,
 *  politeness, decisions, states) is the same for all and knows none of them by name. `conformance.test.ts` checks what every
 *  connector promises. */
import type { HarvestDefinition } from '../../../contract/services/definition.ts'
import type { OutputName, RepositoryName } from '../../../contract/services/connectors.ts'
import type { FetchOutcome, Captured, HttpOutcome } from '../fetch/outcome.ts'
import type { Fetching } from '../fetch/fetching.ts'
import type { RequestField } from '../fetch/request.ts'
import type { Candidate } from '../../frontier/candidate.ts'
import type { DocumentToFetch, KnownCapture } from '../../model/document.ts'
import type { FileSetting } from '../records/fileSetting.ts'
import type { Outlink } from '../../model/outlink.ts'
import type { CrawlSettings } from '../../model/limits.ts'
import type { ConnectorModel } from '../../model/scanPlan.ts'
import type { RecordWork } from '../records/recordMembers.ts'
import type { CaptureRecords } from '../records/records.ts'
import type { Found, Scope, Verdict } from '../../model/scope.ts'

/** Source of the documents of a harvest. */
export interface RepositoryConnector {
  readonly name: RepositoryName
  /** Raised when the data that the connector stores changes its meaning. */
  readonly version: number
  /** What its seeds yield in a further run: all documents, or only new and changed ones. */
  readonly model: ConnectorModel
  /** The definition as this connector uses it: fields that mean nothing here are left out. */
  inForce(definition: HarvestDefinition): HarvestDefinition
  /** Converts a seed as a user types it to the URL of a document. Throws `Fault` badInput that explains the format of a seed. */
  seedOf(text: string): string
  /** Default name of a harvest of these seeds. */
  nameOf(seeds: readonly string[]): string
  /** The documents that a run begins with. */
  seeds(definition: HarvestDefinition): Candidate[]
  /** The bin of a document, usually its host: documents of one bin are fetched one after the other, with the delay between them. */
  binOf(url: string): string
  /** The scope of the harvest, as input of `judge`. */
  scopeOf(definition: HarvestDefinition): Scope
  /** Decides whether a URL that was found belongs to the harvest, and in which role. Pure. */
  judge(scope: Scope, found: Found): Verdict
  /** Opens the connector for one run of a job. */
  open(run: { definition: HarvestDefinition; fetching: RunFetching }): OpenRepository
}

/** Resources that a connector uses to fetch the documents of one run. */
export interface RunFetching extends Fetching {
  /** Requests one document over HTTP with the sessions of the run's logins; `fields`: additional request fields. */
  ask(document: DocumentToFetch, fields?: readonly RequestField[]): Promise<HttpOutcome>
  /** Folders of the archive and of its replicas, from which no code is run. */
  archiveFolders: readonly string[]
}

/** A repository connector, opened for one run. */
export interface OpenRepository {
  /** Fetches a document. Faults of the source are returned as `Failed`; rejects with `DiskFault` if the body cannot be written. */
  fetch(document: DocumentToFetch): Promise<FetchOutcome>
  /** Outlinks in document order. */
  outlinksOf(document: DocumentToFetch, captured: Captured): Promise<Outlink[]>
  /** Previous outlinks of a document that its list names as unchanged. Undefined when they are not known and the document has to
   *  be fetched again. Absent where lists name no versions. */
  previousOutlinks?(document: DocumentToFetch): Promise<Outlink[] | undefined>
  /** Closes what was opened for the run. Never rejects. */
  close?(): Promise<void>
}

/** Destination of the captures of a harvest. */
export interface OutputConnector {
  readonly name: OutputName
  /** Raised when the data that the connector stores changes its meaning. */
  readonly version: number
  /** Whether the connector writes files, which are closed, described and stored when the job ends. */
  readonly keeps: boolean
  /** Opens the connector for one run of a job. */
  open(setting: OutputSetting): Output
}

/** Settings of an output connector. */
export interface OutputSetting extends FileSetting {
  settings: Pick<CrawlSettings, 'warcVersion' | 'payloadDigest' | 'revisitRecords' | 'fileBytesMax'>
  bodies: RecordWork
}

/** Location of a capture: file id, and the offset of its first record in bytes. */
export interface Place {
  file: number
  offset: number
}

/** The output of one run. Commits must not overlap. */
export interface Output {
  /** Builds the records of a capture, in parallel with others; nothing is written yet. `known`: an earlier capture that may have the
   *  same payload. */
  prepare(document: DocumentToFetch, captured: Captured, known?: KnownCapture): Promise<CaptureRecords>
  /** Writes the records durably and returns where each capture is; null if it is not stored. They count only after `commit`. */
  keep(records: readonly CaptureRecords[]): Promise<(Place | null)[]>
  /** Commits the records kept last, `count` of them; called inside the transaction that settles the documents. */
  commit(count: number): void
  /** Discards the records kept last, after a failed commit. The next `keep` continues from the state in the database. */
  abandon(): Promise<void>
  /** Closes the output at the end of the run. */
  close(): Promise<void>
}
