/**
 * Management of the views for the tabs of the interface. Each view keeps its page, with typed text and the scroll position, while another
 * is shown. A view is a whole browser page, so their number is limited: the least recently used one is dropped, and its tab reloads its
 * page. This module does not depend on what a view is.
 */

/** Maximum number of views. One costs some tens of megabytes, much more with a heavy page. */
export const viewsMax = 12

/** Views by the number of their tab. */
export interface PageViews<View> {
  /** Returns the view of a tab, which is made when there is none. */
  of(tab: number): View
  /** Returns the view of a tab; undefined when there is none. Does not count as a use. */
  known(tab: number): View | undefined
  /** Drops the views of closed tabs. */
  keep(tabs: readonly number[]): void
}

/** Makes an empty set of views. `drop` receives `isClosed`: true when the tab is closed, false when it has only lost its view. */
export function pageViews<View>(parts: {
  make: (tab: number) => View
  drop: (view: View, tab: number, isClosed: boolean) => void
}): PageViews<View> {
  /** Views in the order in which they were last used. */
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
