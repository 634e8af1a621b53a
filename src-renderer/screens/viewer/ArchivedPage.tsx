/** The archived pages: frames in a browser, and in the desktop application views of Electron's main process over an empty box, one for each
 *  tab. Both carry out the `order` of a tab and report where they have arrived. Archived pages are hostile: a frame may not navigate the
 *  top window, open windows or learn our address. */
import { useEffect, useRef } from 'react'
import { useStore } from 'zustand'
import { archivedAddress, browserAddress } from '../../../src-main/contract/text/viewerAddresses.ts'
import type { LoupePage } from '../../links/window.ts'
import { useSession } from '../../state/session.tsx'
import { isShowable, sameAddress } from '../../state/pageOfAnswers.ts'
import { type Order, type Tab } from '../../state/viewTabs.ts'
import { useWords } from '../../words/words.tsx'

interface ArchivedPageProps {
  /** An element of ours covers the page; a native view would be drawn above it. */
  covered: boolean
  /** An element of ours is shown in place of the page. */
  hidden: boolean
}

export function ArchivedPage({ covered, hidden }: ArchivedPageProps) {
  const { page } = useSession().shell
  return page ? <NativePages page={page} covered={covered || hidden} hidden={hidden} /> : <Frames hidden={hidden} />
}

/** A tab keeps its frame, and with it the scroll position, while another tab is shown. */
function Frames({ hidden }: { hidden: boolean }) {
  const { view } = useSession()
  const { tabs, shown } = useStore(view)
  // When the user returns to this screen the frames are new and empty.
  useEffect(() => view.getState().reloadTabs(), [view])
  return (
    <div className="archived-page" hidden={hidden}>
      {tabs.map((tab) => tab.order && <Frame key={tab.id} tab={tab} isShown={tab.id === shown} />)}
    </div>
  )
}

function Frame({ tab, isShown }: { tab: Tab; isShown: boolean }) {
  const t = useWords()
  const { view } = useSession()
  const frame = useRef<HTMLIFrameElement>(null)
  useOrders(tab, ({ url }) => {
    // Setting `src` would add an entry to the window's own history for each step in the tab's history.
    frame.current?.contentWindow?.location.replace(browserAddress(url))
  })
  return (
    <iframe
      ref={frame}
      title={t('viewer.page')}
      hidden={!isShown}
      sandbox="allow-scripts allow-same-origin allow-forms"
      referrerPolicy="no-referrer"
      onLoad={() => void view.getState().frameLoaded(tab.id)}
    />
  )
}

/** The views outlive this screen and keep their pages while others are shown. */
function NativePages({ page, covered, hidden }: ArchivedPageProps & { page: LoupePage }) {
  const { view } = useSession()
  const { tabs, shown } = useStore(view)
  const box = useRef<HTMLDivElement>(null)
  const ids = tabs.map(({ id }) => id).join()

  useEffect(() => page.keep(ids.split(',').map(Number)), [page, ids])
  useEffect(
    () => page.onNavigated((tab, url) => void view.getState().navigated(tab, archivedAddress(url))),
    [page, view],
  )
  useEffect(() => page.onPageLost((tab) => view.getState().unloadTab(tab)), [page, view])
  useEffect(() => {
    if (!box.current || covered) return
    const element = box.current
    const show = () => {
      const { x, y, width, height } = element.getBoundingClientRect()
      page.show(shown, { x, y, width, height })
    }
    const observer = new ResizeObserver(show)
    observer.observe(element)
    // A notice above moves the box without changing its size.
    window.addEventListener('resize', show)
    show()
    return () => {
      observer.disconnect()
      window.removeEventListener('resize', show)
      page.hide()
    }
  }, [page, covered, shown])

  return (
    <div className="archived-page" ref={box} hidden={hidden}>
      {tabs.map((tab) => (
        <NativePage key={tab.id} page={page} tab={tab} />
      ))}
    </div>
  )
}

/** Renders nothing: the main process shows the view of the tab. */
function NativePage({ page, tab }: { page: LoupePage; tab: Tab }) {
  useOrders(tab, ({ step, url }) => {
    // The view's own history does not match the tab's history, so back and forward are steps in the latter.
    if (step === 'reload' && sameAddress(url, tab.address) && tab.page !== null && isShowable(tab.page))
      page.reload(tab.id)
    else page.open(tab.id, browserAddress(url))
  })
  return null
}

/** Carries out each order once. An order that was carried out before this screen was left is not repeated. */
function useOrders({ id, order, arriving }: Tab, carryOut: (order: Order) => void): void {
  const { view } = useSession()
  const done = useRef(arriving ? null : (order?.number ?? null))
  useEffect(() => {
    // Read again, because an effect before this one may have given a newer order.
    const newest = view.getState().tabs.find((tab) => tab.id === id)?.order
    if (!newest || newest.number === done.current) return
    done.current = newest.number
    carryOut(newest)
  }, [id, order, view, carryOut])
}
