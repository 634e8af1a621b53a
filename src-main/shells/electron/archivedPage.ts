/** The archived pages: for each tab a view of its own over our window, in a session whose only way out is the viewer proxy. The
 *  decisions are in `sessionRules.ts`; here they are hung on Electron's hooks. */
import { session, WebContentsView, type BrowserWindow, type Session } from 'electron'
import { Fault } from '../../contract/calls/faults.ts'
import type { Picture } from '../../contract/services/pictures.ts'
import type { PageCommand, PictureWanted } from './ipc.ts'
import { pageViews } from './pageViews.ts'
import { isOurCertificate, mayHave, mayNavigate, partitionOf, proxyRules } from './sessionRules.ts'
import { takePicture } from './takePicture.ts'
import { inWindow, type Rectangle } from './windowState.ts'
import { message } from '../../contract/words/message.ts'

/** Chromium's own words for "take it" and "refuse it" (net/base/net_error_list.h: OK, ERR_FAILED). */
const accept = 0
const refuse = -2

export interface ArchivedPages {
  obey(command: PageCommand): void
  /** Of the one that is shown, or was last. Rejects with `Fault`. */
  takePicture(wanted: PictureWanted): Promise<Picture>
}

export interface Viewer {
  viewer: { host: string; port: number }
  spkiSha256: string
}

/** Events for the interface. */
export interface PageEars {
  onNavigated(tab: number, url: string): void
  /** The tab has lost its view. */
  onPutDown(tab: number): void
  onFound(found: { matches: number; active: number }): void
}

export async function archivedPages(window: BrowserWindow, viewer: Viewer, ears: PageEars): Promise<ArchivedPages> {
  const closed = await closedSession(viewer)
  let shown: number | undefined
  const views = pageViews<WebContentsView>({
    make: (tab) => newView(closed, window, tab, ears),
    drop: (view, tab, isClosed) => {
      window.contentView.removeChildView(view)
      view.webContents.close()
      if (!isClosed) ears.onPutDown(tab)
    },
  })
  const shownView = () => (shown === undefined ? undefined : views.known(shown))

  function show(tab: number, bounds: Rectangle): void {
    if (shown !== tab) shownView()?.setVisible(false)
    shown = tab
    const view = views.of(tab)
    view.setBounds(inWindow(bounds, window.webContents.zoomFactor))
    view.setVisible(true)
  }

  return {
    obey(command) {
      switch (command.kind) {
        case 'show':
          return show(command.tab, command.bounds)
        case 'hide':
          return shownView()?.setVisible(false)
        case 'open':
          return mayNavigate(command.url, 'page') ? open(views.of(command.tab), command.url) : undefined
        case 'reload':
          return views.known(command.tab)?.webContents.reload()
        case 'keep':
          return views.keep(command.tabs)
        case 'find':
          return find(shownView(), command)
      }
    },
    async takePicture(wanted) {
      const view = shownView()
      if (!view) throw new Fault('refused', message('shell.noPage'))
      // What cannot be seen is not drawn: for the moment of the picture the page lies over the dialog that asked for it.
      const wasVisible = view.getVisible()
      view.setVisible(true)
      try {
        return await takePicture(view.webContents, wanted)
      } finally {
        view.setVisible(wasVisible)
      }
    },
  }
}

function newView(closed: Session, window: BrowserWindow, tab: number, ears: PageEars): WebContentsView {
  const view = new WebContentsView({
    webPreferences: {
      session: closed,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      // A page that asks "are you sure?" in a loop would hold the whole window.
      disableDialogs: true,
      // The dictionaries would be fetched from the web of today.
      spellcheck: false,
      // What an https page names by http is asked for as it was captured (`asCaptured` of contract/text/browserSwitches.ts).
      allowRunningInsecureContent: true,
    },
  })
  keepInside(view)
  view.setVisible(false)
  window.contentView.addChildView(view)
  view.webContents.on('did-navigate', (_event, url) => ears.onNavigated(tab, url))
  view.webContents.on('did-navigate-in-page', (_event, url, isMainFrame) => {
    if (isMainFrame) ears.onNavigated(tab, url)
  })
  view.webContents.on('found-in-page', (_event, { matches, activeMatchOrdinal }) =>
    ears.onFound({ matches, active: activeMatchOrdinal }),
  )
  return view
}

function find(view: WebContentsView | undefined, { text, isForward }: { text: string; isForward: boolean }): void {
  if (text === '') view?.webContents.stopFindInPage('keepSelection')
  else view?.webContents.findInPage(text, { forward: isForward })
}

async function closedSession({ viewer, spkiSha256 }: Viewer): Promise<Session> {
  const closed = session.fromPartition(partitionOf(spkiSha256))
  await closed.setProxy(proxyRules(viewer))
  closed.setCertificateVerifyProc(({ hostname, certificate }, answer) => {
    // Electron types the issuer as always there; at the end of a chain it is not.
    const issuer = (certificate.issuerCert as Electron.Certificate | undefined)?.data
    answer(
      isOurCertificate({ hostname, certificate: certificate.data, issuer }, spkiSha256, Date.now()) ? accept : refuse,
    )
  })
  closed.setPermissionRequestHandler((_contents, permission, answer) => answer(mayHave(permission, 'archived page')))
  closed.setPermissionCheckHandler((_contents, permission) => mayHave(permission, 'archived page'))
  closed.setDevicePermissionHandler(() => false)
  closed.on('will-download', (event) => event.preventDefault())
  return closed
}

function keepInside(view: WebContentsView): void {
  const page = view.webContents
  // Else a page reaches servers of its choice by UDP, past the proxy.
  page.setWebRTCIPHandlingPolicy('disable_non_proxied_udp')
  page.setWindowOpenHandler(({ url }) => {
    // There are no second windows; what a link wanted to open in one is shown in this one.
    if (mayNavigate(url, 'page')) open(view, url)
    return { action: 'deny' }
  })
  page.on('will-frame-navigate', (event) => {
    if (!mayNavigate(event.url, event.isMainFrame ? 'page' : 'frame')) event.preventDefault()
  })
  page.on('will-redirect', (event) => {
    if (!mayNavigate(event.url, event.isMainFrame ? 'page' : 'frame')) event.preventDefault()
  })
  // "Do you want to leave this page?" Yes.
  page.on('will-prevent-unload', (event) => event.preventDefault())
}

function open(view: WebContentsView, url: string): void {
  // A page that does not load shows Chromium's own words for it in the view; the rejection says nothing more.
  view.webContents
    .loadURL(url)
    .catch((error: unknown) => console.info(`The archived page ${url} did not load: ${String(error)}`))
}
