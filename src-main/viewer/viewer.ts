/** The floor's door: archived pages, shown to a browser under their own addresses. The viewer is a proxy on loopback that
 *  answers from the capture index of the jobs somebody chose to view, keeps what it could not answer, and gives files and
 *  records out on its command host. Why something is missing is told a floor higher, where the harvest is known. */
import { join } from 'node:path'
import type { Archive } from '../archive/archive.ts'
import type { Answer } from '../contract/contract.ts'
import type { BuildOptions, CaptureIndex, Completeness, IndexedCapture, Indexes } from '../indexes/indexes.ts'
import type { Page } from '../indexes/pages.ts'
import type { Store } from '../storage/storage.ts'
import type { World } from '../world/world.ts'
import { archiveAccess, type Shown } from './archiveAccess.ts'
import { openAuthority } from './authority.ts'
import { commandHost, commandHostName } from './commandHost.ts'
import { localFiles } from './localFiles.ts'
import { missingNotifier } from './missingNotifier.ts'
import { openFiles } from './openFiles.ts'
import { openProxy } from './proxy.ts'
import { plainReply, type Resolver } from './resolvers.ts'
import { openViews, type View } from './views.ts'
import type { MissRow } from './views.sql.ts'

export type { MissRow } from './views.sql.ts'

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
  /** What goes wrong while nobody waits for it: a record that cannot be read, a bug while answering. */
  onProblem: (error: unknown, doing: string) => void
}

export interface OpenView extends View {
  captures: number
  misses: number
  completeness: Completeness
}

export interface Viewer {
  readonly proxy: { host: string; port: number }
  readonly commandHost: string
  readonly certificate: { path: string; spkiSha256: string }
  /** Builds or reuses the index of these jobs and answers from it from then on. The view before stays when this rejects. */
  open(jobs: readonly number[], atMs?: number, options?: BuildOptions): Promise<OpenView>
  current(): OpenView | undefined
  /** Pages of the view while somebody types; nothing when there is no view. */
  suggest(text: string, limit: number): Promise<Page[]>
  /** Every capture of one URL in the view, oldest first. */
  captures(url: string): IndexedCapture[]
  /** The last answers behind number `after`, oldest first. */
  answers(after: number): Answer[]
  onAnswer(listener: (answer: Answer) => void): () => void
  misses(view?: number): MissRow[]
  clearMisses(view?: number): number
  close(): Promise<void>
}

/** Rejects with `Fault` damaged (authority) or the system's error when the port cannot be had. */
export async function openViewer(parts: ViewerParts): Promise<Viewer> {
  const { store, world, archive, indexes, folder, port, allowedOrigins, onProblem } = parts
  const authority = await openAuthority({ folder: join(folder, 'ca'), world })
  const views = openViews({ store, world, onProblem })
  const files = openFiles(archive, world)
  let shown: Showing | undefined
  /** Only the last of several that were asked to open becomes the view. */
  let opened = 0

  const summary = ({ view, index, captures }: Showing): OpenView => ({
    ...view,
    captures,
    misses: views.missCount(view.view),
    completeness: index.completeness,
  })
  const current = () => shown && summary(shown)
  const fromArchive = archiveAccess({
    files,
    borrow: () => shown?.borrow(),
    onUnreadable: (error, url) => onProblem(error, `showing ${url}`),
  })
  const noticed = missingNotifier({ views, current: () => shown?.view, nowMs: () => world.clock.now() }, fromArchive)
  const resolve = wellFormed(
    commandHost(
      {
        archive,
        certificatePem: authority.pem,
        status: () => ({ proxy: 'Loupe', view: current() ?? null }),
        allowedOrigins,
      },
      localFiles(noticed),
    ),
  )
  const proxy = await openProxy({
    port,
    authority,
    resolve,
    onProblem: (error, url) => onProblem(error, `answering ${url}`),
  })

  return {
    proxy: { host: proxy.host, port: proxy.port },
    commandHost: commandHostName,
    certificate: { path: authority.path, spkiSha256: authority.spkiSha256 },
    async open(jobs, atMs, options) {
      const turn = ++opened
      const index = await indexes.captureIndexFor(jobs, options)
      const entered = showing(views.enter(jobs, atMs), index)
      const summed = summary(entered)
      const left = turn === opened ? shown : entered
      if (turn === opened) shown = entered
      left?.leave()
      return summed
    },
    current,
    suggest: async (text, limit) => shown?.index.pages(text, limit) ?? [],
    captures: (url) => shown?.index.captures(url) ?? [],
    answers: views.answers,
    onAnswer: views.onAnswer,
    misses: views.misses,
    clearMisses: views.clearMisses,
    async close() {
      await proxy.close()
      await files.close()
      views.flush()
      shown?.leave()
      shown = undefined
    },
  }
}

interface Showing {
  view: View
  index: CaptureIndex
  captures: number
  borrow(): Shown
  /** Closes the index when nobody holds it any more. */
  leave(): void
}

function showing(view: View, index: CaptureIndex): Showing {
  let holders = 1
  const leave = () => {
    holders -= 1
    if (holders === 0) index.close()
  }
  return {
    view,
    index,
    captures: index.count(),
    borrow() {
      holders += 1
      return { index, atMs: view.atMs, release: leave }
    },
    leave,
  }
}

/** Every link of the chain may take the address for one. */
function wellFormed(next: Resolver): Resolver {
  return async (request) => (URL.canParse(request.url) ? next(request) : plainReply(400, 'This is not an address.'))
}
