/** The archived page: a view of its own over our window, in a session of its own whose only way out is the viewer proxy. The
 *  decisions are in `sessionRules.ts`; here they are hung on Electron's hooks. */
import { session, WebContentsView, type BrowserWindow, type Session } from 'electron'
import type { PageCommand } from './ipc.ts'
import { isOurCertificate, mayHave, mayNavigate, partitionOf, proxyRules } from './sessionRules.ts'
import { inWindow } from './windowState.ts'

/** Chromium's own words for "take it" and "refuse it" (net/base/net_error_list.h: OK, ERR_FAILED). */
const accept = 0
const refuse = -2

export interface ArchivedPage {
  obey(command: PageCommand): void
}

export interface Viewer {
  viewer: { host: string; port: number }
  spkiSha256: string
}

export async function archivedPage(
  window: BrowserWindow,
  viewer: Viewer,
  onNavigated: (url: string) => void,
): Promise<ArchivedPage> {
  const view = new WebContentsView({
    webPreferences: {
      session: await closedSession(viewer),
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      // A page that asks "are you sure?" in a loop would hold the whole window.
      disableDialogs: true,
      // The dictionaries would be fetched from the web of today.
      spellcheck: false,
      // What an https page names by http is asked for as it was captured (`asCaptured` of contract/browserSwitches.ts).
      allowRunningInsecureContent: true,
    },
  })
  keepInside(view)
  view.setVisible(false)
  window.contentView.addChildView(view)
  // Else a page reaches servers of its choice by UDP, past the proxy.
  view.webContents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp')
  view.webContents.on('did-navigate', (_event, url) => onNavigated(url))
  view.webContents.on('did-navigate-in-page', (_event, url, isMainFrame) => {
    if (isMainFrame) onNavigated(url)
  })
  return { obey: (command) => obey(view, window, command) }
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

function obey(view: WebContentsView, window: BrowserWindow, command: PageCommand): void {
  switch (command.kind) {
    case 'show':
      view.setBounds(inWindow(command.bounds, window.webContents.zoomFactor))
      return view.setVisible(true)
    case 'hide':
      return view.setVisible(false)
    case 'open':
      return mayNavigate(command.url, 'page') ? open(view, command.url) : undefined
    case 'reload':
      return view.webContents.reload()
  }
}

function open(view: WebContentsView, url: string): void {
  // A page that does not load shows Chromium's own words for it in the view; the rejection says nothing more.
  view.webContents
    .loadURL(url)
    .catch((error: unknown) => console.info(`The archived page ${url} did not load: ${String(error)}`))
}
