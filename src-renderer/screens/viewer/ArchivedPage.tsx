/** The archived page itself: a frame in a browser, a view of Electron's main process over an empty box in the desktop
 *  application. Both do what `order` says and report where they have come. Archived pages are hostile: the frame may not
 *  navigate the top, open windows, or learn our address. */
import { useEffect, useRef } from 'react'
import { useStore } from 'zustand'
import { archivedAddress, browserAddress } from '../../../src-main/contract/fileAddresses.ts'
import type { LoupePage } from '../../links/window.ts'
import { useSession } from '../../state/session.tsx'
import type { Order } from '../../state/view.ts'
import { useWords } from '../../words/words.tsx'

/** `covered`: something of ours lies over the page; a native view would be drawn above it. */
export function ArchivedPage({ covered }: { covered: boolean }) {
  const { page } = useSession().shell
  return page ? <NativePage page={page} covered={covered} /> : <FramedPage />
}

function FramedPage() {
  const say = useWords()
  const { view } = useSession()
  const frame = useRef<HTMLIFrameElement>(null)

  // Back on this screen the frame is a new, empty one: the page that was in it is asked for again.
  useEffect(() => {
    const { address, arriving, step } = view.getState()
    if (address !== null && !arriving) step('reload')
  }, [view])
  useOrders((order) => {
    // Not by `src`: that would add an entry to the window's own history for each step on our own trail.
    frame.current?.contentWindow?.location.replace(browserAddress(order.url))
  })

  return (
    <div className="archived-page">
      <iframe
        ref={frame}
        title={say('viewer.page')}
        sandbox="allow-scripts allow-same-origin allow-forms"
        referrerPolicy="no-referrer"
        onLoad={() => void view.getState().frameLoaded()}
      />
    </div>
  )
}

function NativePage({ page, covered }: { page: LoupePage; covered: boolean }) {
  const { view } = useSession()
  const box = useRef<HTMLDivElement>(null)

  useEffect(() => page.onNavigated((url) => void view.getState().navigated(archivedAddress(url))), [page, view])
  useOrders(({ step, url }) => (step === 'open' ? page.open(browserAddress(url)) : page[step]()))
  useEffect(() => {
    if (!box.current || covered) return
    const element = box.current
    const show = () => {
      const { x, y, width, height } = element.getBoundingClientRect()
      page.show({ x, y, width, height })
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
  }, [page, covered])

  return <div className="archived-page" ref={box} />
}

/** Carries out each order once; one that had been carried out before this screen was left is not repeated. */
function useOrders(carryOut: (order: Order) => void): void {
  const { view } = useSession()
  const { order } = useStore(view)
  const done = useRef(view.getState().arriving ? null : (view.getState().order?.number ?? null))
  useEffect(() => {
    // Read afresh: an effect before this one may just have given another order.
    const newest = view.getState().order
    if (!newest || newest.number === done.current) return
    done.current = newest.number
    carryOut(newest)
  }, [order, view, carryOut])
}
