/** The searchable list of pages of one index, built on first use, again while the index grows, and again with the pages whose content is in
 *  other indexes. */
import { searchablePages } from '../model/pageSearch.ts'
import { listedPages, withPagesElsewhere, type ListedPages, type PagesIn } from './listedPages.ts'

interface Growing {
  readonly isGrowing: boolean
  readonly progress: { readonly captures: number }
}

interface Searching {
  listed: Promise<ListedPages>
  pages: ReturnType<typeof searchablePages>
}

/** The current list. */
interface Current extends Searching {
  /** Resolves when no page elsewhere is searched for. True: the list was replaced by a longer one. */
  isReplaced: Promise<boolean>
}

/** Returns a function that returns the current list. */
export function growingPages({ elsewhere, ...own }: PagesIn, status: Growing): () => Current {
  let current: (Current & { of: number; isWhole: boolean }) | undefined

  /** Replaces the list when all of the other pages were found, which may take as long as building indexes of other jobs. */
  async function addPagesElsewhere({ listed }: Searching): Promise<boolean> {
    // The caller that asked for the list gets its error. Here there is just no list to extend.
    const own = await listed.catch(() => undefined)
    if (elsewhere === undefined || own === undefined || own.unresolved.length === 0) return false
    const all = await withPagesElsewhere(own, elsewhere)
    if (all.pages.length === own.pages.length) return false
    const longer = searchable(Promise.resolve(all))
    await longer.pages
    current = { ...longer, isReplaced: Promise.resolve(false), of: status.progress.captures, isWhole: true }
    return true
  }

  /** Building the list takes a while, so for an index that is being built it is repeated only when the index has grown by half. */
  return () => {
    const [of, isWhole] = [status.progress.captures, !status.isGrowing]
    if (current === undefined || (!current.isWhole && (isWhole || of > current.of * 1.5))) {
      const listed = searchable(listedPages(own))
      current = { ...listed, isReplaced: isWhole ? addPagesElsewhere(listed) : Promise.resolve(false), of, isWhole }
    }
    return current
  }
}

function searchable(listed: Promise<ListedPages>): Searching {
  return { listed, pages: listed.then(({ pages }) => searchablePages(pages)) }
}
