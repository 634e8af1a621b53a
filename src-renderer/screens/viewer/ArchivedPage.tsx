/** The archived pages themselves: frames in a browser, views of Electron's main process over an empty box in the desktop application, one
 *  for each tab. Both do what a tab's `order` says and report where they have come. Archived pages are hostile: a frame may not navigate
 *  the top, open windows, or learn our address. */
import { useEffect, useRef } from 'react'
import { useStore } from 'zustand'
import { archivedAddress, browserAddress } from '../../../src-main/contract/text/fileAddresses.ts'
import type { LoupePage } from '../../links/window.ts'
import { useSession } from '../../state/session.tsx'
import { isShowable, sameAddress } from '../../state/pageOfAnswers.ts'
import { type Order, type Tab } from '../../state/viewTabs.ts'
import { useWords } from '../../words/words.tsx'

interface ArchivedPageProps {
  /** Something of ours lies over the page; a native view would be drawn above it. */
  covered: boolean
  /** Something of ours stands in its place. */
  hidden: boolean
}

export function ArchivedPage({ covered, hidden }: ArchivedPageProps) {
  const { page } = useSession().shell
  return page ? <NativePages page={page} covered={covered || hidden} hidden={hidden} /> : <Frames hidden={hidden} />
}

/** A tab keeps its frame while another is shown, and with it how far one had read. */
function Frames({ hidden }: { hidden: boolean }) {
  const { view } = useSession()
  const { tabs, shown } = useStore(view)
  // Back on this screen the frames are new, empty ones.
  useEffect(() => view.getState().loadAnew(), [view])
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
    // Not by `src`: that would add an entry to the window's own history for each step on our own trail.
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

/** The views outlive this screen, and keep their pages while others are shown. */
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
  useEffect(() => page.onPutDown((tab) => view.getState().putDown(tab)), [page, view])
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

/** Draws nothing here: what its tab is to do is done elsewhere. */
function NativePage({ page, tab }: { page: LoupePage; tab: Tab }) {
  useOrders(tab, ({ step, url }) => {
    // Its own history knows nothing of the tab's trail, so back and forward are steps on that.
    if (step === 'reload' && sameAddress(url, tab.address) && tab.page !== null && isShowable(tab.page))
      page.reload(tab.id)
    else page.open(tab.id, browserAddress(url))
  })
  return null
}

/** Carries out each order once; one that had been carried out before this screen was left is not repeated. */
function useOrders({ id, order, arriving }: Tab, carryOut: (order: Order) => void): void {
  const { view } = useSession()
  const done = useRef(arriving ? null : (order?.number ?? null))
  useEffect(() => {
    // Read afresh: an effect before this one may just have given another order.
    const newest = view.getState().tabs.find((tab) => tab.id === id)?.order
    if (!newest || newest.number === done.current) return
    done.current = newest.number
    carryOut(newest)
  }, [id, order, view, carryOut])
}
