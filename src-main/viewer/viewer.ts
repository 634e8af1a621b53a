/** The entry point of the viewer, which shows archived pages to a browser under their own URLs. It is a proxy on loopback that
 *  answers from the capture index of a selection, records what is missing, and delivers files and records on its command host.
 *  Why something is missing is determined in `app`, which knows the harvests. */
import { message } from '../contract/words/message.ts'
import type { Caller } from '../contract/calls/caller.ts'
import type { OnProblem } from './model/onProblem.ts'
import { join } from 'node:path'
import type { Sight } from '../access/access.ts'
import type { Archive } from '../archive/store/archive.ts'
import { browserAddress } from '../contract/text/viewerAddresses.ts'
import type { Selection } from '../contract/shapes/selection.ts'
import type { Answer } from '../contract/services/viewer.ts'
import type { BuildOptions, Indexes } from '../indexes/indexes.ts'
import type { Store } from '../storage/storage.ts'
import type { World } from '../world/world.ts'
import type { AccessRule } from './model/accessRules.ts'
import { openAnswers } from './viewings/answers.ts'
import { openCertificateAuthority } from './certificates/certificateAuthority.ts'
import { openChain } from './chain/chain.ts'
import { sharedUser } from './model/commandToken.ts'
import { commandHostName } from './model/commandHost.ts'
import { explain, type Explained, type ToExplain } from './chain/explain.ts'
import { openFindings, type Findings, type WrittenMiss } from './viewings/findings.ts'
import { openLastRequests } from './viewings/lastRequests.ts'
import { enterAddress } from './commands/controlCommands.ts'
import { openFiles } from './records/openFiles.ts'
import { openProxy } from './proxy/proxy.ts'
import type { OtherCaptures } from './viewings/question.ts'
import { openResolver } from './chain/resolver.ts'
import { rewrittenAnswers, type AnswerRewritten } from './rewritten/rewrittenAnswers.ts'
import { openShownPages, type ShownPages } from './pages/shownPages.ts'
import type { MissingActions } from './replay/chainParts.ts'
import { openViews, type Chosen, type View, type ViewedSelection } from './viewings/views.ts'
import { viewSummary, type OpenView } from './viewings/viewSummary.ts'
import { openViewings, type Viewing, type Viewings } from './viewings/viewings.ts'
import type { FindingRow } from './viewings/views.sql.ts'
import { emitter } from '../contract/calls/emitter.ts'

export type { AccessRule } from './model/accessRules.ts'
export type { MissingActions } from './replay/chainParts.ts'
export type { AnswerRewritten } from './rewritten/rewrittenAnswers.ts'
export type { Explained } from './chain/explain.ts'
export type { OtherCaptures, Located } from './viewings/question.ts'
export type { Chosen, ViewedSelection } from './viewings/views.ts'
export type { OpenView } from './viewings/viewSummary.ts'
export type { WrittenMiss } from './viewings/findings.ts'
export type { FindingRow } from './viewings/views.sql.ts'

/** What the viewer needs from the engine. */
export interface ViewerParts {
  store: Store
  world: World
  /** The account that runs the engine: whose requests those without credentials are. */
  operator: Caller
  archive: Archive
  indexes: Indexes
  /** The archive folder. The certificate authority is in its folder `ca`. */
  folder: string
  /** Port of the proxy. 0: any free port. */
  port: number
  /** Origins of the interface, which may read the proxy's status. Read at each request, so it may be extended. */
  allowedOrigins: readonly string[]
  /** Whether every connection has to log in, because others than the account that runs the engine reach the proxy. */
  needsCredentials: boolean
  /** What a caller may see. Asked for each request. Rejects with `Fault`: then nothing is shown. */
  sightFor: (caller: Caller) => Promise<Sight>
  /** Whether a capture that the caller may not see is answered as restricted. Otherwise it looks as if it had not been captured. */
  isRefusalSaid: () => boolean
  /** The access rules. Called at each request, so that a change takes effect at once. */
  accessRules: () => readonly AccessRule[]
  /** Memory for records that were read lately, in bytes. Called for each record, so that a change takes effect at once. */
  recordCacheBytesMax: () => number
  /** Finds a few captures of a URL outside the view, newest first. */
  otherCaptures: (url: string, viewed: Selection) => OtherCaptures | Promise<OtherCaptures>
  /** Patch jobs whose captures a view of these jobs shows, too, if a command opens it. */
  overlaysOver: (jobs: readonly number[]) => number[]
  /** What users can do about a URL that the jobs of a view lack. */
  missing: MissingActions
  /** Called with URLs that were missing while browsing, in the transaction that stores them. */
  onMissed?: (misses: readonly WrittenMiss[]) => void
  /** Receives errors for which no caller waits: records that cannot be read, bugs while answering. */
  onProblem: OnProblem
}

/** What a viewing of its own shows, and the credentials for it. */
export interface OwnView extends OpenView {
  /** Whose requests are those of the viewing. */
  caller: Caller
  user: string
  password: string
  commandToken: string
  /** The URL that a browser opens first to be asked for the credentials. */
  enter: string
}

/** How a viewing of its own is opened. */
export interface OwnOptions extends BuildOptions {
  caller?: Caller
}

/** The open viewer. */
export interface Viewer extends Omit<ShownPages, 'firstPage' | 'close'> {
  readonly proxy: { host: string; port: number }
  readonly commandHost: string
  /** Command token of the shared viewing. With it as the password of `commandUser`, a client may change what the viewing shows. */
  readonly commandToken: string
  readonly commandUser: string
  readonly certificate: { path: string; spkiSha256: string }
  /** Opens a view in the shared viewing, building its index if needed. If this rejects, the previous view stays. Without
   *  `atOnce`, it resolves when the index is complete and its files were checked. */
  open(chosen: Chosen, options?: BuildOptions): Promise<OpenView>
  /** Opens a viewing of its own for a browser that logs in to the proxy. It begins at `url`, or at the first page if `url` is
   *  empty. Its requests are those of the caller; absent: of the account that runs the engine. */
  openOwn(chosen: Chosen, url: string, options?: OwnOptions): Promise<OwnView>
  /** Closes a viewing. False: there is none with this user name. */
  leave(user: string): boolean
  /** The viewings of other browsers, oldest first. */
  own(): OwnView[]
  /** What the shared viewing shows; undefined if it shows nothing. */
  current(): OpenView | undefined
  /** Called when the shared viewing shows another view, and as its index is built. */
  onView(listener: (view: OpenView) => void): () => void
  /** Switches recording of missing resources, in the shared viewing or that of `user`. */
  record(isRecording: boolean, user?: string): void
  /** The named views. */
  kept(): (View & { name: string })[]
  /** Names a view. Another view with this name loses it. */
  keep(view: number, name: string): void
  /** Removes the name of a view. Does nothing if there is none. */
  forget(name: string): void
  /** The page with the shortest URL in the view. Waits for the index for a while. Undefined: there is none yet, or no view. */
  firstPage(): Promise<string | undefined>
  /** Explains a reply without recording anything. Undefined: no view is open. Rejects with `Fault` refused if the request is no
   *  longer known, or its viewing was closed. */
  explain(asked: ToExplain, caller: Caller): Promise<Explained | undefined>
  /** Answers with numbers greater than `after`, oldest first. */
  answers(after: number): Answer[]
  onAnswer(listener: (answer: Answer) => void): () => void
  /** Findings of a view, oldest first, in the shared viewing or that of `user`, whose findings end with it. */
  misses(view: number, user?: string): FindingRow[]
  /** The same for archived errors and captures that could not be read. */
  errors(view: number, user?: string): FindingRow[]
  /** Removes the findings of a view. Returns how many there were. */
  clearFindings(view: number, user?: string): number
  /** Answers requests of a service worker that rewrites pages, in the shared viewing. Its caller has admitted them. */
  answerRewritten: AnswerRewritten
  /** The selection of a view. Undefined: there is no such view. */
  selectionOf(view: number): ViewedSelection | undefined
  close(): Promise<void>
}

/** Opens the viewer. Rejects with `Fault` damaged if the certificate authority is damaged, and with `Fault` if the port cannot
 *  be opened. */
export async function openViewer(parts: ViewerParts): Promise<Viewer> {
  const { store, world, operator, archive, indexes, folder, port, recordCacheBytesMax } = parts
  const { onProblem, onMissed } = parts
  const certificateAuthority = await openCertificateAuthority({ folder: join(folder, 'ca'), world })
  const views = openViews({ store, world })
  const findings = openFindings({ store, world, onProblem, ...(onMissed && { onMissed }) })
  const answers = openAnswers()
  const lastRequests = openLastRequests()
  const changes = emitter<OpenView>()
  const viewings = openViewings({
    ...{ views, indexes, archive, world, operator, onProblem, isTaken: findings.hasListsOf },
    needsCredentials: parts.needsCredentials,
    onChange(viewing) {
      const shown = viewing === viewings.shared ? current() : undefined
      if (shown) changes.emit(shown)
    },
  })
  const files = openFiles({ archive, clock: world.clock, recordCacheBytesMax })
  const pages = openShownPages({ ...parts, files, viewing: viewings.shared })
  const certificatePem = certificateAuthority.pem
  const chain = openChain({ ...parts, files, findings, answers, views, certificatePem })
  const resolver = openResolver({ ...parts, chain, viewings, findings, answers, lastRequests })
  const { resolve, resolveShared, question } = resolver
  const onFailure = (error: unknown, url: string) =>
    onProblem(error, (problem) => message('viewer.problem.answering', { url, problem }))
  const proxy = await openProxy({
    port,
    certificateAuthority,
    isKnown: (credentials) => viewings.of(credentials) !== undefined,
    resolve,
    onProblem: onFailure,
  })

  const summaryOf = (viewing: Viewing) => viewSummary({ findings, views }, viewing)
  const current = () => summaryOf(viewings.shared)
  const ownViewings = openOwnViewings({ viewings, operator, findings, pages, summaryOf })

  return {
    proxy: { host: proxy.host, port: proxy.port },
    commandHost: commandHostName,
    commandToken: viewings.shared.commandToken,
    commandUser: sharedUser,
    certificate: { path: certificateAuthority.path, spkiSha256: certificateAuthority.spkiSha256 },
    async open(chosen, options) {
      await show(viewings.shared, chosen, options)
      return shownBy(current())
    },
    openOwn: ownViewings.open,
    leave: ownViewings.leave,
    own: ownViewings.all,
    current,
    onView: changes.on,
    record(isRecording, user) {
      const viewing = user === undefined ? viewings.shared : viewings.own().find((one) => one.user === user)
      if (viewing) viewing.isRecording = isRecording
    },
    kept: views.named,
    keep: views.name,
    forget: views.forget,
    firstPage: () => pages.firstPage(),
    suggest: pages.suggest,
    pages: pages.pages,
    onTitlesRead: pages.onTitlesRead,
    title: pages.title,
    captures: pages.captures,
    timeline: pages.timeline,
    explain: (asked, caller) => explain({ ...parts, chain, files, question, lastRequests, viewings }, asked, caller),
    answers: answers.after,
    onAnswer: answers.onAnswer,
    misses: (view, user = '') => findings.misses({ viewing: user, view }),
    errors: (view, user = '') => findings.errors({ viewing: user, view }),
    clearFindings: (view, user = '') => findings.clear({ viewing: user, view }),
    answerRewritten: rewrittenAnswers({ resolve: resolveShared, onProblem: onFailure }),
    selectionOf: views.selectionOf,
    async close() {
      await proxy.close()
      await pages.close()
      await files.close()
      findings.flush()
      await viewings.close()
    },
  }
}

interface OwnParts {
  viewings: Viewings
  operator: Caller
  findings: Findings
  pages: Pick<ShownPages, 'firstPage'>
  summaryOf: (viewing: Viewing) => OpenView | undefined
}

/** Viewings of browsers that log in to the proxy. */
function openOwnViewings({ viewings, operator, findings, pages, summaryOf }: OwnParts) {
  /** Start URLs by user name. */
  const starts = new Map<string, string>()

  function summary(viewing: Viewing, url: string): OwnView | undefined {
    const { user, password, commandToken, caller } = viewing
    const shown = summaryOf(viewing)
    return shown && { ...shown, user, password, commandToken, caller, enter: enterAddress(url) }
  }

  return {
    async open(chosen: Chosen, url: string, { caller = operator, ...options }: OwnOptions = {}): Promise<OwnView> {
      const viewing = viewings.open(caller)
      try {
        await show(viewing, chosen, options)
      } catch (error) {
        viewings.leave(viewing.user)
        throw error
      }
      const start = url === '' ? browserAddress((await pages.firstPage(viewing)) ?? '') : url
      starts.set(viewing.user, start)
      return shownBy(summary(viewing, start))
    },
    leave(user: string): boolean {
      starts.delete(user)
      const isLeft = viewings.leave(user)
      if (isLeft) findings.end(user)
      return isLeft
    },
    all: (): OwnView[] => viewings.own().flatMap((viewing) => summary(viewing, starts.get(viewing.user) ?? '') ?? []),
  }
}

/** Shows a selection. Without `atOnce`, waits until its files were checked. */
async function show(viewing: Viewing, chosen: Chosen, options?: BuildOptions): Promise<void> {
  await viewing.show(chosen, options)
  if (options?.atOnce !== true) await viewing.filesChecked()
}

function shownBy<Summary>(shown: Summary | undefined): Summary {
  if (shown === undefined) throw new Error('a viewing shows what it was just told to show')
  return shown
}
