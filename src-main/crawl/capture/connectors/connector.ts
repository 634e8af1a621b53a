/** What a connector is. A repository connector says where the documents of a harvest come from: how its seeds are written,
 *  how one document is had, and what it leads to. An output connector says how documents are kept. Everything between them
 *  (queue, politeness, what becomes of a document, its states) is the same for all and knows none of them by name.
 *  What every connector promises is checked by `conformance.test.ts`. */
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
  /** The definition as this connector takes it: what means nothing here is as if nobody had said it. */
  inForce(definition: HarvestDefinition): HarvestDefinition
  /** A seed as a person types it, as the address of a document. Throws `Fault` badInput, saying how one looks. */
  seedOf(text: string): string
  /** What a harvest of these seeds is called when nobody named it. */
  nameOf(seeds: readonly string[]): string
  /** The documents that a run begins with. */
  seeds(definition: HarvestDefinition): Candidate[]
  /** Whose turn a document takes: documents of one bin are fetched one after the other, politely. */
  binOf(url: string): string
  scopeOf(definition: HarvestDefinition): Scope
  /** Whether what was found belongs to the harvest, and as what. Pure. */
  judge(scope: Scope, found: Found): Verdict
  /** For one run of a job. */
  open(run: { definition: HarvestDefinition; fetching: RunFetching }): OpenRepository
}

export interface RunFetching extends Fetching {
  /** One document over HTTP, as whoever the run's logins make it; `fields`: what else the request is to say. */
  ask(document: DocumentToFetch, fields?: readonly RequestField[]): Promise<HttpOutcome>
}

export interface OpenRepository {
  /** Never rejects for what the other end does; a disk that cannot take the body rejects with `DiskFault`. */
  fetch(document: DocumentToFetch): Promise<FetchOutcome>
  /** In the order in which they stand there. */
  outlinksOf(document: DocumentToFetch, captured: Captured): Promise<Outlink[]>
  /** Of a document that its list says has not changed since it was taken: what it led to then. Undefined when nobody knows, and
   *  it has to be had again. Absent where no list says such a thing. */
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
  /** Made ready beside others; nothing is kept yet. `original`: what an earlier run captured of the same address. */
  prepare(document: DocumentToFetch, captured: Captured, original?: Original): Promise<CaptureRecords>
  /** Durable when it resolves, and where each lies; null for what lies nowhere. Counts only after `commit`. */
  keep(records: readonly CaptureRecords[]): Promise<(Place | null)[]>
  /** Inside the transaction that settles the documents: what was kept last counts from now on. */
  commit(count: number): void
  /** A commit failed, wherever that was: what was kept last does not count. Opened again it is as the database says. */
  abandon(): Promise<void>
  close(): Promise<void>
}
