/**
 * Views of archived pages: for each tab a separate view over the window, in a session whose only network access is the viewer proxy. The
 * decisions are in `sessionRules.ts`; this module connects them to Electron's hooks.
 */
import { session, WebContentsView, type BrowserWindow, type Session } from 'electron'
import { Fault } from '../../contract/calls/faults.ts'
import type { Picture } from '../../contract/services/pictures.ts'
import type { PageCommand, PictureWanted } from './ipc.ts'
import { pageViews } from './pageViews.ts'
import { isOurCertificate, mayHave, mayNavigate, partitionOf, proxyRules } from './sessionRules.ts'
import { takePicture } from './takePicture.ts'
import { inWindow, type Rectangle } from './windowState.ts'
import { message } from '../../contract/words/message.ts'

/** Chromium's codes for accepting and refusing a certificate (net/base/net_error_list.h: OK, ERR_FAILED). */
const accept = 0
const refuse = -2

/** The views of one window. */
export interface ArchivedPages {
  /** Carries out a command of the interface. URLs that an archived page could not navigate to are ignored. */
  run(command: PageCommand): void
  /** Takes a picture of the view that is shown, or was last. Rejects with `Fault`. */
  takePicture(wanted: PictureWanted): Promise<Picture>
}

/** Where the viewer's proxy listens, and the SHA-256 of the certificate authority's public key, in base64. */
export interface Viewer {
  viewer: { host: string; port: number }
  spkiSha256: string
}

/** Called with what happens in the views. */
export interface PageHandlers {
  /** Called with the new URL, also for navigation within a page (`history.pushState`, fragments). */
  onNavigated(tab: number, url: string): void
  /** Called when a tab has lost its view, because too many others were used since. */
  onPageLost(tab: number): void
  /** Called with the number of matches of a search, and the number of the highlighted one, from 1. */
  onFound(found: { matches: number; active: number }): void
}

/** Opens the session of the views. No view exists until a tab shows or opens something. */
export async function archivedPages(
  window: BrowserWindow,
  viewer: Viewer,
  handlers: PageHandlers,
): Promise<ArchivedPages> {
  const closed = await closedSession(viewer)
  let shown: number | undefined
  const views = pageViews<WebContentsView>({
    make: (tab) => newView(closed, window, tab, handlers),
    drop: (view, tab, isClosed) => {
      window.contentView.removeChildView(view)
      view.webContents.close()
      if (!isClosed) handlers.onPageLost(tab)
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
    run(command) {
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
      // Views that are not visible are not drawn: for the moment of the picture the page covers the dialog that requested it.
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

/** Makes the view of a tab, hidden. Its preferences give a page the rights of a page in a browser and none of
 *  Node. */
function newView(closed: Session, window: BrowserWindow, tab: number, handlers: PageHandlers): WebContentsView {
  const view = new WebContentsView({
    webPreferences: {
      session: closed,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      // A page that opens dialogs in a loop would block the whole window.
      disableDialogs: true,
      // The dictionaries would be fetched from the live Web.
      spellcheck: false,
      // HTTP resources of an HTTPS page are requested as they were captured (`asCaptured` of contract/text/browserSwitches.ts).
      allowRunningInsecureContent: true,
    },
  })
  keepInside(view)
  view.setVisible(false)
  window.contentView.addChildView(view)
  view.webContents.on('did-navigate', (_event, url) => handlers.onNavigated(tab, url))
  view.webContents.on('did-navigate-in-page', (_event, url, isMainFrame) => {
    if (isMainFrame) handlers.onNavigated(tab, url)
  })
  view.webContents.on('found-in-page', (_event, { matches, activeMatchOrdinal }) =>
    handlers.onFound({ matches, active: activeMatchOrdinal }),
  )
  return view
}

/** Starts a search in the view, moves to the next match of a running one, or ends it. */
function find(view: WebContentsView | undefined, { text, isForward }: { text: string; isForward: boolean }): void {
  if (text === '') view?.webContents.stopFindInPage('keepSelection')
  else view?.webContents.findInPage(text, { forward: isForward })
}

/** Makes the session in which all views run: proxy, certificates and permissions are as `sessionRules.ts` decides. */
async function closedSession({ viewer, spkiSha256 }: Viewer): Promise<Session> {
  const closed = session.fromPartition(partitionOf(spkiSha256))
  await closed.setProxy(proxyRules(viewer))
  closed.setCertificateVerifyProc(({ hostname, certificate }, answer) => {
    // Electron types the issuer as always present; at the end of a chain it is absent.
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

/** Refuses everything with which a page could leave its view or the proxy. */
function keepInside(view: WebContentsView): void {
  const page = view.webContents
  // Otherwise a page could reach servers of its choice by UDP, past the proxy.
  page.setWebRTCIPHandlingPolicy('disable_non_proxied_udp')
  page.setWindowOpenHandler(({ url }) => {
    // There are no second windows; a link that would open one is shown in this view.
    if (mayNavigate(url, 'page')) open(view, url)
    return { action: 'deny' }
  })
  page.on('will-frame-navigate', (event) => {
    if (!mayNavigate(event.url, event.isMainFrame ? 'page' : 'frame')) event.preventDefault()
  })
  page.on('will-redirect', (event) => {
    if (!mayNavigate(event.url, event.isMainFrame ? 'page' : 'frame')) event.preventDefault()
  })
  // Answers the page's "Do you want to leave this page?" with yes.
  page.on('will-prevent-unload', (event) => event.preventDefault())
}

function open(view: WebContentsView, url: string): void {
  // For a page that does not load, the view shows Chromium's own error; the rejection adds nothing.
  view.webContents
    .loadURL(url)
    .catch((error: unknown) => console.info(`The archived page ${url} did not load: ${String(error)}`))
}
