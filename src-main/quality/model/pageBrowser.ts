/** A browser that opens pages in a view of the viewer, or of the live web, and tells what they requested, printed and showed. A shell implements it. */
import type { AuditFailure } from '../../contract/services/pageAudits.ts'
import type { LiveWeb } from '../../crawl/crawl.ts'

/** The proxy through which all pages are loaded. */
export interface PageProxy {
  /** Port on loopback. */
  proxyPort: number
  /** SHA-256 of the public key (SubjectPublicKeyInfo) of the archive's certificate authority, in base64. */
  spkiSha256: string
}

/** A page of a view: `enter` is the URL at which the proxy asks the browser for the credentials, before it redirects to the page. */
interface ArchivedPage {
  is: 'archived'
  enter: string
  user: string
  password: string
}

/** A page of the live web. All its requests are answered by `answer`; what a browser requests in another way reaches the proxy without
 *  credentials, and nothing else. */
export interface LivePage {
  is: 'live'
  url: string
  answer: LiveWeb['answer']
}

/** The page to open. */
export interface PageToVisit {
  page: ArchivedPage | LivePage
  /** Width of the layout. */
  widthPx: number
  /** Time for the whole visit. */
  msMax: number
}

/** What a page requested. `missing`: the view has no capture. `bad`: an archived error, or nothing that could be used. */
export interface SeenResource {
  url: string
  /** Purpose of the request, as values of Sec-Fetch-Dest; '' where it is unknown. */
  type: string
  method: string
  /** Null: no answer. */
  status: number | null
  found: 'good' | 'bad' | 'missing'
}

/** A page as it was seen. */
export interface VisitedPage {
  /** After redirects. */
  url: string
  /** Of the page itself. */
  status: number | null
  title: string
  /** The text that is displayed. */
  text: string
  /** PNG of the whole page. */
  screenshot: Uint8Array
  /** PNG of its beginning, at most 320 pixels wide. */
  thumbnail: Uint8Array
  resources: SeenResource[]
  consoleErrors: string[]
  /** The page is longer than the screenshot. */
  isCut: boolean
  /** False: it was still loading after the time for it. */
  isLoaded: boolean
}

/** How a visit ended. `browserEnded`: perhaps because of another page. */
export type Visit =
  | { is: 'visited'; page: VisitedPage }
  | { is: 'failed'; failure: AuditFailure }
  | { is: 'browserEnded' }

/** A browser for many pages. No page affects another: each has storage of its own, and one that hangs is ended. */
export interface PageBrowser {
  /** Opens a page. Rejects with the reason of the signal when it is aborted. */
  visit(page: PageToVisit, signal: AbortSignal): Promise<Visit>
  /** Ends the browser. */
  close(): Promise<void>
}
