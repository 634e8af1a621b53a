/** Which views there are for the tabs of the interface: each keeps its page, and with it what somebody typed and how far they had
 *  read, while another is shown. A view is a whole browser page, so there are not more than a few; the one that was shown longest ago
 *  makes way, and its tab loads its page anew. It does not know what a view is. */

/** A view costs some tens of megabytes, much more with a heavy page. */
export const viewsMax = 12

export interface PageViews<View> {
  /** Made when there is none. */
  of(tab: number): View
  known(tab: number): View | undefined
  /** Drops those of tabs that are closed. */
  keep(tabs: readonly number[]): void
}

/** `drop`: `isClosed` says that the tab is gone too; else it has only lost its view. */
export function pageViews<View>(parts: {
  make: (tab: number) => View
  drop: (view: View, tab: number, isClosed: boolean) => void
}): PageViews<View> {
  /** In the order in which they were last used. */
  const views = new Map<number, View>()

  function drop(tab: number, isClosed: boolean): void {
    const view = views.get(tab)
    views.delete(tab)
    if (view !== undefined) parts.drop(view, tab, isClosed)
  }

  return {
    of(tab) {
      const view = views.get(tab) ?? parts.make(tab)
      views.delete(tab)
      views.set(tab, view)
      const [oldest] = views.size > viewsMax ? views.keys() : []
      if (oldest !== undefined) drop(oldest, false)
      return view
    },
    known: (tab) => views.get(tab),
    keep(tabs) {
      for (const tab of [...views.keys()]) if (!tabs.includes(tab)) drop(tab, true)
    },
  }
}
