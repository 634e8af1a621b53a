/** Pages and captures of the view that a viewing shows, for the address bar, the list of pages and the calendar of captures. What an
 *  access rule hides is left out, as if it had not been captured. */
import type { OnProblem } from '../model/onProblem.ts'
import type { Sight } from '../../access/access.ts'
import type { Caller } from '../../contract/calls/caller.ts'
import type { Archive } from '../../archive/store/archive.ts'
import { emitter } from '../../contract/calls/emitter.ts'
import type { IndexedCapture } from '../../indexes/indexes.ts'
import type { TimelineYear } from '../../indexes/model/timeline.ts'
import type { World } from '../../world/world.ts'
import { isAllowed, type AccessRule } from '../model/accessRules.ts'
import type { OpenFiles } from '../records/openFiles.ts'
import { partFor } from '../viewings/partFor.ts'
import type { Shown, Viewing } from '../viewings/viewings.ts'
import { firstPage } from './firstPage.ts'
import { openPageList, type ListedPages, type PagesWanted, type TitlesRead } from './pageList.ts'
import { suggestions, type Suggested } from './suggestions.ts'
import { titleOf } from './titles.ts'

/** Pages and captures of the view that is shown. */
export interface ShownPages {
  /** The page with the shortest URL in the view. Waits for the index for a while. Undefined: there is none yet, or no view. */
  firstPage(viewing?: Viewing): Promise<string | undefined>
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
  close(): Promise<void>
}

interface Parts {
  world: World
  archive: Archive
  files: OpenFiles
  viewing: Viewing
  /** What a caller may see: another viewing belongs to another. */
  sightFor: (caller: Caller) => Promise<Sight>
  accessRules: () => readonly AccessRule[]
  onProblem: OnProblem
}

/** Makes the pages of the interface's viewing. `firstPage` can be asked for other viewings, too. */
export function openShownPages({
  world,
  archive,
  files,
  viewing: own,
  sightFor,
  accessRules,
  onProblem,
}: Parts): ShownPages {
  const titleChanges = emitter<TitlesRead>()
  const pageList = openPageList({
    ...{ world, archive, onProblem },
    borrow: () => own.borrow(),
    onRead: titleChanges.emit,
  })
  /** Tests URLs against the current access rules. */
  const shownNow = () => {
    const rules = accessRules()
    return (url: string) => isAllowed(url, rules)
  }
  /** The index, unless an access rule hides the URL. */
  const indexShowing = (url: string) => (shownNow()(url) ? own.current()?.index : undefined)

  return {
    async firstPage(viewing = own) {
      const sight = await sightFor(viewing.caller)
      return whileBorrowed(viewing, (index) =>
        firstPage(partFor(index, sight), { clock: world.clock, isShown: shownNow() }),
      )
    },
    suggest: async (text, limit) =>
      (await whileBorrowed(own, (index) => suggestions(index, { text, limit, isShown: shownNow() }))) ?? [],
    pages: (wanted) => whileBorrowed(own, async (index) => pageList.list(index, { ...wanted, isShown: shownNow() })),
    onTitlesRead: titleChanges.on,
    async title({ url, timestampMs }) {
      if (!shownNow()(url)) return null
      const title = await whileBorrowed(own, async (index) => {
        const capture = index.nearest({ url, moment: { kind: 'nearest', atMs: timestampMs } })
        return capture && titleOf({ files, index }, capture)
      })
      return title ?? null
    },
    captures: (url, within) => indexShowing(url)?.captures(url, within) ?? [],
    timeline: (url) => indexShowing(url)?.timeline(url) ?? [],
    close: () => pageList.close(),
  }
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
