/** Interfaces of connectors. A repository connector says where the documents of a harvest come from: how seeds are written, how
 *  a document is fetched, and what it links to. An output connector says how documents are kept. Everything in between (queue,
 *  politeness, decisions, states) is the same for all and knows none of them by name. `conformance.test.ts` checks what every
 *  connector promises. */
import type { HarvestDefinition } from '../../../contract/contract.ts'
import type { OutputName, RepositoryName } from '../../../contract/services/connectors.ts'
import type { FetchOutcome, Fetching, Captured, HttpOutcome, RequestField } from '../fetch/fetch.ts'
import type { Candidate } from '../../frontier/frontier.ts'
import type { DocumentToFetch, Original } from '../../model/document.ts'
import type { FileSetting } from '../records/harvestFile.ts'
import type { Outlink } from '../../model/outlink.ts'
import type { CrawlSettings } from '../../model/limits.ts'
import type { ConnectorModel } from '../../model/scanPlan.ts'
import type { CaptureRecords } from '../records/records.ts'
import type { Found, Scope, Verdict } from '../../model/scope.ts'

export interface RepositoryConnector {
  readonly name: RepositoryName
  /** Raised when what it writes down changes its meaning. */
  readonly version: number
  /** What its seeds lead to in a further run: everything that there is, or only what is new and changed. */
  readonly model: ConnectorModel
  /** The definition as this connector uses it: fields that mean nothing here are left out. */
  inForce(definition: HarvestDefinition): HarvestDefinition
  /** Converts a seed as a user types it to the URL of a document. Throws `Fault` badInput that says how a seed looks. */
  seedOf(text: string): string
  /** Default name of a harvest of these seeds. */
  nameOf(seeds: readonly string[]): string
  /** The documents that a run begins with. */
  seeds(definition: HarvestDefinition): Candidate[]
  /** The bin of a document, usually its host: documents of one bin are fetched one after the other, with the delay between them. */
  binOf(url: string): string
  scopeOf(definition: HarvestDefinition): Scope
  /** Whether what was found belongs to the harvest, and as what. Pure. */
  judge(scope: Scope, found: Found): Verdict
  /** Opens the connector for one run of a job. */
  open(run: { definition: HarvestDefinition; fetching: RunFetching }): OpenRepository
}

export interface RunFetching extends Fetching {
  /** Requests one document over HTTP with the sessions of the run's logins; `fields`: additional request fields. */
  ask(document: DocumentToFetch, fields?: readonly RequestField[]): Promise<HttpOutcome>
}

export interface OpenRepository {
  /** Never rejects for what the other end does; a disk that cannot take the body rejects with `DiskFault`. */
  fetch(document: DocumentToFetch): Promise<FetchOutcome>
  /** Outlinks in document order. */
  outlinksOf(document: DocumentToFetch, captured: Captured): Promise<Outlink[]>
  /** Previous outlinks of a document that its list names as unchanged. Undefined when they are not known and the document has to
   *  be fetched again. Absent where lists name no versions. */
  previousOutlinks?(document: DocumentToFetch): Promise<Outlink[] | undefined>
}

export interface OutputConnector {
  readonly name: OutputName
  readonly version: number
  /** Whether files come of it, which are closed, described and stored when the job ends. */
  readonly keeps: boolean
  open(setting: OutputSetting): Output
}

export interface OutputSetting extends FileSetting {
  settings: Pick<CrawlSettings, 'warcVersion' | 'payloadDigest' | 'fileBytesMax'>
}

export interface Place {
  file: number
  offset: number
}

/** One run's way out. One commit at a time. */
export interface Output {
  /** Builds the records of a capture, in parallel with others; nothing is written yet. `original`: an earlier capture of the
   *  same URL. */
  prepare(document: DocumentToFetch, captured: Captured, original?: Original): Promise<CaptureRecords>
  /** Durable when it resolves, and where each lies; null for what lies nowhere. Counts only after `commit`. */
  keep(records: readonly CaptureRecords[]): Promise<(Place | null)[]>
  /** Inside the transaction that settles the documents: what was kept last counts from now on. */
  commit(count: number): void
  /** A commit failed, wherever that was: what was kept last does not count. Opened again it is as the database says. */
  abandon(): Promise<void>
  close(): Promise<void>
}
