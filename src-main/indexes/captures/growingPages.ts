/** The searchable list of pages of one index, built on first use and again while the index grows. */
import { searchablePages } from '../model/pageSearch.ts'
import { listedPages } from './listedPages.ts'

interface Growing {
  readonly isGrowing: boolean
  readonly progress: { readonly captures: number }
}

/** Returns a function that returns the current list. */
export function growingPages(statements: Parameters<typeof listedPages>[0], status: Growing) {
  let searching:
    | {
        pages: ReturnType<typeof searchablePages>
        listed: ReturnType<typeof listedPages>
        of: number
        isWhole: boolean
      }
    | undefined

  /** The searchable list of pages. Building it takes a while, so for an index that is being built it is repeated only when the
   *  index has grown by half. */
  return () => {
    const [of, isWhole] = [status.progress.captures, !status.isGrowing]
    if (searching === undefined || (!searching.isWhole && (isWhole || of > searching.of * 1.5))) {
      const listed = listedPages(statements)
      searching = { pages: listed.then(({ pages }) => searchablePages(pages)), listed, of, isWhole }
    }
    return searching
  }
}
