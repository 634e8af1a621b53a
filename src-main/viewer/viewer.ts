/** The entry point of the viewer, which shows archived pages to a browser under their own URLs. It is a proxy on loopback that
 *  answers from the capture index of a selection, records what is missing, and delivers files and records on its command host.
 *  Why something is missing is determined in `app`, which knows the harvests. */
import { join } from 'node:path'
import type { Archive } from '../archive/store/archive.ts'
import { browserAddress } from '../contract/text/fileAddresses.ts'
import type { Selection, WholeSelection } from '../contract/shapes/selection.ts'
import type { Answer } from '../contract/services/viewer.ts'
import type { BuildOptions, BuildProgress, Completeness, IndexedCapture, Indexes } from '../indexes/indexes.ts'
import type { TimelineYear } from '../indexes/model/timeline.ts'
import type { Store } from '../storage/storage.ts'
import type { World } from '../world/world.ts'
import { isAllowed, type AccessRule } from './model/accessRules.ts'
import { openAnswers } from './viewings/answers.ts'
import { openCertificateAuthority } from './certificates/certificateAuthority.ts'
import { openChain } from './chain/chain.ts'
import { sharedUser } from './model/commandToken.ts'
import { commandHostName } from './model/commandHost.ts'
import { explain, type Explained, type ToExplain } from './chain/explain.ts'
import { openFindings } from './viewings/findings.ts'
import { openLastRequests } from './viewings/lastRequests.ts'
import { firstPage } from './pages/firstPage.ts'
import { enterAddress } from './commands/controlCommands.ts'
import { openFiles } from './records/openFiles.ts'
import { filesMissingOf, type FilesMissing } from './viewings/missingFiles.ts'
import { openProxy } from './proxy/proxy.ts'
import type { OtherCaptures } from './viewings/question.ts'
import { openResolver } from './chain/resolver.ts'
import { openPageList, type ListedPages, type PagesWanted, type TitlesRead } from './pages/pageList.ts'
import { suggestions, type Suggested } from './pages/suggestions.ts'
import { titleOf } from './pages/titles.ts'
import { openViews, type Chosen, type View } from './viewings/views.ts'
import { openViewings, type Shown, type Viewing } from './viewings/viewings.ts'
import type { FindingRow } from './viewings/views.sql.ts'
import { emitter } from '../contract/calls/emitter.ts'

export type { AccessEffect, AccessRule } from './model/accessRules.ts'
export type { Explained } from './chain/explain.ts'
export type { OtherCaptures, Located } from './viewings/question.ts'
export type { Chosen } from './viewings/views.ts'
export type { FindingRow } from './viewings/views.sql.ts'

export interface ViewerParts {
  store: Store
  world: World
  archive: Archive
  indexes: Indexes
  /** The archive folder. The certificate authority is in its folder `ca`. */
  folder: string
  /** Port of the proxy. 0: any free port. */
  port: number
  /** Origins of the interface, which may read the proxy's status. Read at each request, so it may be extended. */
  allowedOrigins: readonly string[]
  /** The access rules. Called at each request, so that a change takes effect at once. */
  accessRules: () => readonly AccessRule[]
  /** Finds a few captures of a URL outside the view, newest first. */
  otherCaptures: (url: string, viewed: Selection) => OtherCaptures | Promise<OtherCaptures>
  /** Receives errors for which no caller waits: records that cannot be read, bugs while answering. */
  onProblem: (error: unknown, doing: string) => void
}

export interface OpenView extends View {
  name: string | null
  captures: number
  misses: number
  errors: number
  isRecording: boolean
  completeness: Completeness
  /** Files that cannot be read, as far as they were checked. */
  filesMissing: FilesMissing
  /** Progress of the index. While it is being built, more captures may come. */
  growth: BuildProgress & { isGrowing: boolean }
}

export interface OwnView extends OpenView {
  user: string
  password: string
  commandToken: string
  /** The URL that a browser opens first to be asked for the credentials. */
  enter: string
}

export interface Viewer {
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
   *  empty. */
  openOwn(chosen: Chosen, url: string, options?: BuildOptions): Promise<OwnView>
  /** Closes a viewing. False: there is none with this user name. */
  leave(user: string): boolean
  own(): OwnView[]
  current(): OpenView | undefined
  /** Called when the shared viewing shows another view, and as its index is built. */
  onView(listener: (view: OpenView) => void): () => void
  /** Switches recording of missing resources, in the shared viewing or that of `user`. */
  record(isRecording: boolean, user?: string): void
  kept(): (View & { name: string })[]
  /** Names a view. Another view with this name loses it. */
  keep(view: number, name: string): void
  forget(name: string): void
  /** The page with the shortest URL in the view. Waits for the index for a while. Undefined: there is none yet, or no view. */
  firstPage(): Promise<string | undefined>
  /** Suggestions for the address bar; empty if no view is open. */
  suggest(text: string, limit: number): Promise<Suggested[]>
  /** Pages of the view whose URL or title contains a text. Undefined: no view is open. */
  pages(wanted: Omit<PagesWanted, 'isShown'>): Promise<ListedPages | undefined>
  /** Called as the titles of the view's pages are read. */
  onTitlesRead(listener: (titles: TitlesRead) => void): () => void
  /** The title of one capture. Null: it has none, cannot be read, or must not be shown. */
  title(capture: { url: string; timestampMs: number }): Promise<string | null>
  /** All captures of a URL in the view, oldest first, or those of a period, both ends included. */
  captures(url: string, within?: { fromMs: number; toMs: number }): IndexedCapture[]
  /** Captures per day of a URL in the view. */
  timeline(url: string): TimelineYear[]
  /** Explains a reply without recording anything. Undefined: no view is open. Rejects with `Fault` refused if the request is no
   *  longer known, or its viewing was closed. */
  explain(asked: ToExplain): Promise<Explained | undefined>
  /** Answers with numbers greater than `after`, oldest first. */
  answers(after: number): Answer[]
  onAnswer(listener: (answer: Answer) => void): () => void
  /** Findings of a view, oldest first, in the shared viewing or that of `user`, whose findings end with it. */
  misses(view: number, user?: string): FindingRow[]
  errors(view: number, user?: string): FindingRow[]
  clearFindings(view: number, user?: string): number
  /** The selection of a view. Undefined: there is no such view. */
  selectionOf(view: number): WholeSelection | undefined
  close(): Promise<void>
}

/** Opens the viewer. Rejects with `Fault` damaged if the certificate authority is damaged, and with `Fault` if the port cannot
 *  be opened. */
export async function openViewer(parts: ViewerParts): Promise<Viewer> {
  const { store, world, archive, indexes, folder, port, allowedOrigins, accessRules, otherCaptures, onProblem } = parts
  const certificateAuthority = await openCertificateAuthority({ folder: join(folder, 'ca'), world })
  const views = openViews({ store, world })
  const findings = openFindings({ store, world, onProblem })
  const answers = openAnswers()
  const lastRequests = openLastRequests()
  const changes = emitter<OpenView>()
  const viewings = openViewings({
    ...{ views, indexes, archive, world, onProblem, isTaken: findings.hasListsOf },
    onChange(viewing) {
      const shown = viewing === viewings.shared ? current() : undefined
      if (shown) changes.emit(shown)
    },
  })
  const files = openFiles(archive, world)
  const titleChanges = emitter<TitlesRead>()
  const pageList = openPageList({
    ...{ world, archive, onProblem },
    borrow: () => viewings.shared.borrow(),
    onRead: (titles) => {
      titleChanges.emit(titles)
    },
  })
  const shared = {
    world,
    archive,
    files,
    findings,
    answers,
    views,
    allowedOrigins,
    accessRules,
    otherCaptures,
    onProblem,
  }
  const chain = openChain({ ...shared, certificatePem: certificateAuthority.pem })
  const { resolve, question } = openResolver({ chain, viewings, findings, answers, lastRequests, world })
  const proxy = await openProxy({
    port,
    certificateAuthority,
    isKnown: (credentials) => viewings.of(credentials) !== undefined,
    resolve,
    onProblem: (error, url) => onProblem(error, `answering ${url}`),
  })

  function summary(shown: Shown, { isRecording, user: viewing }: Viewing): OpenView {
    const { view, index } = shown
    const { completeness, isGrowing, progress } = index
    const counts = findings.counts({ viewing, view: view.view })
    const about = { name: views.nameOf(view.view), captures: progress.captures, ...counts }
    const lacking = { completeness, filesMissing: filesMissingOf(shown) }
    return { ...view, ...about, isRecording, ...lacking, growth: { ...progress, isGrowing } }
  }
  const summaryOf = (viewing: Viewing): OpenView | undefined => {
    const shown = viewing.current()
    return shown && summary(shown, viewing)
  }
  const ownSummaryOf = (viewing: Viewing, url: string): OwnView | undefined => {
    const { user, password, commandToken } = viewing
    const shown = summaryOf(viewing)
    return shown && { ...shown, user, password, commandToken, enter: enterAddress(url) }
  }
  const current = () => summaryOf(viewings.shared)
  /** Tests URLs against the current access rules. */
  const shownNow = () => {
    const rules = accessRules()
    return (url: string) => isAllowed(url, rules)
  }
  /** The index, unless an access rule hides the URL. */
  const indexShowing = (url: string) => (shownNow()(url) ? viewings.shared.current()?.index : undefined)
  const firstPageIn = (viewing: Viewing) =>
    whileBorrowed(viewing, (index) => firstPage(index, { clock: world.clock, isShown: shownNow() }))
  /** Start URLs of viewings by user name. */
  const begins = new Map<string, string>()

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
    async openOwn(chosen, url, options) {
      const viewing = viewings.open()
      try {
        await show(viewing, chosen, options)
      } catch (error) {
        viewings.leave(viewing.user)
        throw error
      }
      const begin = url === '' ? browserAddress((await firstPageIn(viewing)) ?? '') : url
      begins.set(viewing.user, begin)
      return shownBy(ownSummaryOf(viewing, begin))
    },
    leave(user) {
      begins.delete(user)
      const isLeft = viewings.leave(user)
      if (isLeft) findings.end(user)
      return isLeft
    },
    own: () => viewings.own().flatMap((viewing) => ownSummaryOf(viewing, begins.get(viewing.user) ?? '') ?? []),
    current,
    onView: changes.on,
    record(isRecording, user) {
      const viewing = user === undefined ? viewings.shared : viewings.own().find((one) => one.user === user)
      if (viewing) viewing.isRecording = isRecording
    },
    kept: views.named,
    keep: views.name,
    forget: views.forget,
    firstPage: () => firstPageIn(viewings.shared),
    suggest: async (text, limit) =>
      (await whileBorrowed(viewings.shared, (index) => suggestions(index, { text, limit, isShown: shownNow() }))) ?? [],
    pages: (wanted) =>
      whileBorrowed(viewings.shared, async (index) => pageList.list(index, { ...wanted, isShown: shownNow() })),
    onTitlesRead: titleChanges.on,
    async title({ url, timestampMs }) {
      if (!shownNow()(url)) return null
      const title = await whileBorrowed(viewings.shared, async (index) => {
        const capture = index.nearest({ url, moment: { kind: 'nearest', atMs: timestampMs } })
        return capture && titleOf({ files, index }, capture)
      })
      return title ?? null
    },
    captures: (url, within) => indexShowing(url)?.captures(url, within) ?? [],
    timeline: (url) => indexShowing(url)?.timeline(url) ?? [],
    explain: (asked) => explain({ chain, files, question, lastRequests, viewings }, asked),
    answers: answers.after,
    onAnswer: answers.onAnswer,
    misses: (view, user = '') => findings.misses({ viewing: user, view }),
    errors: (view, user = '') => findings.errors({ viewing: user, view }),
    clearFindings: (view, user = '') => findings.clear({ viewing: user, view }),
    selectionOf: views.selectionOf,
    async close() {
      await proxy.close()
      await pageList.close()
      await files.close()
      findings.flush()
      await viewings.close()
    },
  }
}

async function show(viewing: Viewing, chosen: Chosen, options?: BuildOptions): Promise<void> {
  await viewing.show(chosen, options)
  if (options?.atOnce !== true) await viewing.filesChecked()
}

/** Uses the index of the current view and keeps it open meanwhile. Undefined: no view is open. */
async function whileBorrowed<Result>(
  viewing: Viewing,
  use: (index: Shown['index']) => Promise<Result>,
): Promise<Result | undefined> {
  const borrowed = viewing.borrow()
  try {
    return borrowed && (await use(borrowed.index))
  } finally {
    borrowed?.release()
  }
}

function shownBy<Summary>(shown: Summary | undefined): Summary {
  if (shown === undefined) throw new Error('a viewing shows what it was just told to show')
  return shown
}
