/** The floor's door: archived pages, shown to a browser under their own addresses. The viewer is a proxy on loopback that
 *  answers from the capture index of the files somebody chose to view, keeps what it could not answer, and gives files and
 *  records out on its command host. Why something is missing is told a floor higher, where the harvest is known. */
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
  /** Of the archive: the certificate authority lies in its `ca`. */
  folder: string
  /** 0: the system picks one. */
  port: number
  /** Origins of the interface, which may read the proxy's status. Read at each request, so it may still grow. */
  allowedOrigins: readonly string[]
  /** What must not be shown. Asked at each request, so that a change counts for the next. */
  accessRules: () => readonly AccessRule[]
  /** Captures of an address outside of what is viewed, a few, the newest first. */
  otherCaptures: (url: string, viewed: Selection) => OtherCaptures | Promise<OtherCaptures>
  /** What goes wrong while nobody waits for it: a record that cannot be read, a bug while answering. */
  onProblem: (error: unknown, doing: string) => void
}

export interface OpenView extends View {
  name: string | null
  captures: number
  misses: number
  errors: number
  isRecording: boolean
  completeness: Completeness
  /** As far as they were looked for. */
  filesMissing: FilesMissing
  /** Of its index; while it grows, what is not found may yet come. */
  growth: BuildProgress & { isGrowing: boolean }
}

export interface OwnView extends OpenView {
  user: string
  password: string
  commandToken: string
  /** Where a browser begins that is to be asked for them. */
  enter: string
}

export interface Viewer {
  readonly proxy: { host: string; port: number }
  readonly commandHost: string
  /** Of the interface's viewing: whoever gives it as the password of `commandUser` to the proxy may change what it shows. */
  readonly commandToken: string
  readonly commandUser: string
  readonly certificate: { path: string; spkiSha256: string }
  /** Builds or reuses the index of what is chosen and answers from it from then on. The view before stays when this rejects. Where it is
   *  not opened at once, its files were looked for when this resolves. */
  open(chosen: Chosen, options?: BuildOptions): Promise<OpenView>
  /** For a browser that gives a name and a password to the proxy; it begins at `url`, or, where that is empty, at the first page. */
  openOwn(chosen: Chosen, url: string, options?: BuildOptions): Promise<OwnView>
  /** False: there is none of this name. */
  leave(user: string): boolean
  own(): OwnView[]
  current(): OpenView | undefined
  /** When another is shown, by whomever, and as its index grows. Not of viewings of their own. */
  onView(listener: (view: OpenView) => void): () => void
  /** Of the interface's viewing; with `user`, of that one. */
  record(isRecording: boolean, user?: string): void
  kept(): (View & { name: string })[]
  /** Whatever had this name has lost it. */
  keep(view: number, name: string): void
  forget(name: string): void
  /** The page with the shortest address in the view, which is waited for for a while. Undefined: there is none yet, or no view. */
  firstPage(): Promise<string | undefined>
  /** Pages of the view while somebody types; nothing when there is no view. */
  suggest(text: string, limit: number): Promise<Suggested[]>
  /** Pages of the view whose address or title has a text. Undefined: nothing is viewed. */
  pages(wanted: Omit<PagesWanted, 'isShown'>): Promise<ListedPages | undefined>
  /** Of the pages of the view, as titles are read. */
  onTitlesRead(listener: (titles: TitlesRead) => void): () => void
  /** What the title of one capture says. Null: it has none, cannot be read, or must not be shown. */
  title(capture: { url: string; timestampMs: number }): Promise<string | null>
  /** Every capture of one URL in the view, oldest first; of a stretch of time, both its ends among them. */
  captures(url: string, within?: { fromMs: number; toMs: number }): IndexedCapture[]
  /** How many captures of one URL there are of each day in the view. */
  timeline(url: string): TimelineYear[]
  /** Undefined: nothing is viewed. Nothing is written down by it. Rejects with `Fault` refused when it is no longer known how it was
   *  asked, or the viewing that asked has ended. */
  explain(asked: ToExplain): Promise<Explained | undefined>
  /** The last answers behind number `after`, oldest first. */
  answers(after: number): Answer[]
  onAnswer(listener: (answer: Answer) => void): () => void
  /** Of one view, oldest first: what is missing, and what was answered wrongly. In the interface's viewing; with `user`, in that one,
   *  whose lists end with it. */
  misses(view: number, user?: string): FindingRow[]
  errors(view: number, user?: string): FindingRow[]
  clearFindings(view: number, user?: string): number
  /** What a view shows; undefined: there is none of this number. */
  selectionOf(view: number): WholeSelection | undefined
  close(): Promise<void>
}

/** Rejects with `Fault` damaged (authority) or the system's error when the port cannot be had. */
export async function openViewer(parts: ViewerParts): Promise<Viewer> {
  const { store, world, archive, indexes, folder, port, allowedOrigins, accessRules, otherCaptures, onProblem } = parts
  const certificateAuthority = await openCertificateAuthority({ folder: join(folder, 'ca'), world })
  const views = openViews({ store, world })
  const findings = openFindings({ store, world, onProblem })
  const answers = openAnswers()
  const lastRequests = openLastRequests()
  const listeners = new Set<(view: OpenView) => void>()
  const viewings = openViewings({
    ...{ views, indexes, archive, world, onProblem, isTaken: findings.hasListsOf },
    onChange(viewing) {
      const shown = viewing === viewings.shared ? current() : undefined
      if (shown) for (const listener of listeners) listener(shown)
    },
  })
  const files = openFiles(archive, world)
  const titleListeners = new Set<(titles: TitlesRead) => void>()
  const pageList = openPageList({
    ...{ world, archive, onProblem },
    borrow: () => viewings.shared.borrow(),
    onRead: (titles) => {
      for (const listener of titleListeners) listener(titles)
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
  /** By the rules of this moment. */
  const shownNow = () => {
    const rules = accessRules()
    return (url: string) => isAllowed(url, rules)
  }
  /** What a rule keeps back is as if there were nothing. */
  const indexShowing = (url: string) => (shownNow()(url) ? viewings.shared.current()?.index : undefined)
  const firstPageIn = (viewing: Viewing) =>
    whileBorrowed(viewing, (index) => firstPage(index, { clock: world.clock, isShown: shownNow() }))
  /** Where each of the own ones begins. */
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
    onView(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
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
    onTitlesRead(listener) {
      titleListeners.add(listener)
      return () => void titleListeners.delete(listener)
    },
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

/** Something else may be shown before it has ended. Undefined: nothing is viewed. */
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
