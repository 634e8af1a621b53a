/**
 * Electron's main process: one window, one menu, one engine in a separate process, and the messages between them. It opens no database,
 * reads no WARC and computes nothing, so that the interface always responds.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  app,
  BrowserWindow,
  dialog,
  ipcMain,
  Menu,
  protocol,
  safeStorage,
  screen,
  shell,
  type IpcMainEvent,
  type IpcMainInvokeEvent,
} from 'electron'
import type { ExportSummary } from '../../contract/services/exports.ts'
import { Fault, sentFault } from '../../contract/calls/faults.ts'
import { opened, type Reply } from '../../contract/calls/service.ts'
import { archiveFolderFrom } from '../places/defaultArchive.ts'
import { writtenBy } from '../places/exportedFile.ts'
import { interfaceFiles } from '../server/interfaceFiles.ts'
import { archivedPages } from './archivedPage.ts'
import { startEngine, type EngineProcess } from './engineProcess.ts'
import { channels, pageCommandIn, pictureWantedIn, suggestedNameIn } from './ipc.ts'
import { nativeMenu } from './nativeMenu.ts'
import { sealingKeyFrom, type KeyFile } from './sealingKey.ts'
import { interfaceOrigin, interfaceScheme, isInterface, isOurs } from './senderCheck.ts'
import { mayHave, proxyRules } from './sessionRules.ts'
import { restoredBounds, smallest, windowStateIn, type Rectangle } from './windowState.ts'
import { message } from '../../contract/words/message.ts'
import { textFor } from '../../contract/words/render.ts'
import { messageOf } from '../../contract/text/messageOf.ts'
import { ownFileMode } from '../../world/permissions.ts'

/** Folder of the bundles: this file is in `out/main`. */
const built = join(import.meta.dirname, '..')
const windowStateFile = () => join(app.getPath('userData'), 'window.json')

protocol.registerSchemesAsPrivileged([
  { scheme: interfaceScheme, privileges: { standard: true, secure: true, supportFetchAPI: true } },
])
// QUIC bypasses a proxy, and so does WebRTC by default; requests of the browser itself would be recorded as missing pages.
app.commandLine.appendSwitch('disable-quic')
// Chromium renamed this switch; each version knows one of the names.
for (const name of ['webrtc-ip-handling-policy', 'force-webrtc-ip-handling-policy'])
  app.commandLine.appendSwitch(name, 'disable_non_proxied_udp')
app.commandLine.appendSwitch('disable-background-networking')
app.commandLine.appendSwitch('disable-component-update')

/** Folder of the archive: the option `--archive`, else the environment variable LOUPE_ARCHIVE, else `Loupe` in the
 *  documents folder. */
function archiveFolder(): string {
  const at = process.argv.indexOf('--archive')
  const named = at >= 0 ? process.argv[at + 1] : undefined
  return named ?? archiveFolderFrom(process.env) ?? join(app.getPath('documents'), 'Loupe')
}

/** The file of the sealing key, readable by this account only. */
function keyFile(path: string): KeyFile {
  return {
    read: () => (existsSync(path) ? readFileSync(path) : undefined),
    write: (bytes) => writeFileSync(path, bytes, { mode: ownFileMode }),
  }
}

/** Starts the application. The window is opened before the engine, so that something is seen while a large archive
 *  opens. */
async function run(): Promise<void> {
  await app.whenReady()
  await serveInterface()
  const window = openWindow()
  const engine = await startEngine(
    join(import.meta.dirname, 'engine.js'),
    { archiveFolder: archiveFolder(), version: app.getVersion(), allowedOrigins: [interfaceOrigin] },
    sealingKeyFrom(safeStorage, keyFile(join(app.getPath('userData'), 'sealing.key'))),
    {
      onEvent: (name, payload) => {
        if (!window.isDestroyed()) window.webContents.send(channels.event, name, payload)
      },
      onDeath: () => void offerRestart(),
    },
  )
  // The interface itself uses the network only to query the viewer about itself (getRecord, getMetadata).
  await window.webContents.session.setProxy(proxyRules(engine.viewer))
  await relay(window, engine)
  Menu.setApplicationMenu(nativeMenu(process.platform, menuActs(window, engine)))
  closeInOrder(window, engine)
  await window.loadURL(`${interfaceOrigin}/`)
}

/** Serves the built interface under a scheme of its own, with the same files and rules as over HTTP. */
async function serveInterface(): Promise<void> {
  const files = await interfaceFiles(join(built, 'renderer'))
  protocol.handle(interfaceScheme, async (request) => {
    if (!isInterface(request.url)) return new Response(null, { status: 404 })
    const { status, headers, body } = await files(new URL(request.url).pathname)
    return new Response(typeof body === 'string' ? body : new Uint8Array(body), { status, headers })
  })
}

/** Opens the window where it was last, still hidden. It can navigate only within the interface. */
function openWindow(): BrowserWindow {
  const saved = windowStateIn(existsSync(windowStateFile()) ? readFileSync(windowStateFile(), 'utf8') : undefined)
  const window = new BrowserWindow({
    ...restoredBounds(saved?.bounds, displays()),
    minWidth: smallest.width,
    minHeight: smallest.height,
    show: false,
    webPreferences: {
      preload: join(built, 'preload/preload.cjs'),
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      spellcheck: false,
    },
  })
  if (saved?.maximized) window.maximize()
  window.once('ready-to-show', () => window.show())
  const { webContents } = window
  // There is only one window, so a link that would open a new one (Ctrl or the middle button) opens in this one.
  webContents.setWindowOpenHandler(({ url }) => {
    if (isInterface(url)) void webContents.loadURL(url)
    return { action: 'deny' }
  })
  webContents.on('will-navigate', (event) => {
    if (!isInterface(event.url)) event.preventDefault()
  })
  webContents.session.setPermissionRequestHandler((_contents, permission, answer) =>
    answer(mayHave(permission, 'interface')),
  )
  return window
}

/** Work areas of the screens, the primary one first. */
function displays(): [Rectangle, ...Rectangle[]] {
  const first = screen.getPrimaryDisplay()
  const others = screen.getAllDisplays().filter(({ id }) => id !== first.id)
  return [first.workArea, ...others.map(({ workArea }) => workArea)]
}

/** Connects the window with the engine and the archived pages. Messages from anything but the interface's own top
 *  frame are refused. */
async function relay(window: BrowserWindow, engine: EngineProcess): Promise<void> {
  const trusted = (event: IpcMainInvokeEvent | IpcMainEvent) => {
    const frame = event.senderFrame && { url: event.senderFrame.url, top: event.senderFrame.parent === null }
    return isOurs({ frame: frame ?? undefined, webContents: event.sender.id }, window.webContents.id)
  }
  const send = (channel: string, ...words: unknown[]) => window.webContents.send(channel, ...words)
  const pages = await archivedPages(window, engine, {
    onNavigated: (tab, url) => send(channels.navigated, tab, url),
    onPageLost: (tab) => send(channels.pageLost, tab),
    onFound: (found) => send(channels.found, found),
  })
  ipcMain.handle(channels.call, (event, name: unknown, input: unknown) => {
    if (!trusted(event)) throw new Error('a call that does not come from the interface')
    return engine.call(String(name), input)
  })
  ipcMain.handle(channels.askWhere, async (event, suggested: unknown) => {
    if (!trusted(event)) throw new Error('a dialog that the interface did not ask for')
    const defaultPath = join(app.getPath('documents'), suggestedNameIn(suggested))
    const { canceled, filePath } = await dialog.showSaveDialog(window, { defaultPath })
    return canceled ? null : filePath
  })
  ipcMain.handle(channels.showExported, (event, number: unknown): Promise<Reply> => {
    if (!trusted(event)) throw new Error('a folder that the interface did not ask for')
    return replyOf(showExported(engine, Number(number)))
  })
  ipcMain.on(channels.page, (event, message: unknown) => {
    const command = trusted(event) ? pageCommandIn(message) : undefined
    if (command) pages.run(command)
  })
  ipcMain.handle(channels.picture, (event, message: unknown): Promise<Reply> => {
    const wanted = trusted(event) ? pictureWantedIn(message) : undefined
    if (!wanted) throw new Error('a picture that the interface did not ask for')
    return replyOf(pages.takePicture(wanted))
  })
}

/** Shows a file in the file manager. Only files that the engine has written can be shown: the interface gives no path. */
async function showExported(engine: EngineProcess, number: number): Promise<null> {
  const list = opened(await engine.call('exports.list', {})) as ExportSummary[]
  const path = writtenBy(list, number)
  if (!existsSync(path)) throw new Fault('notFound', message('files.gone', { path }))
  shell.showItemInFolder(path)
  return null
}

/** Converts a fault to a reply. Any other error is a bug and is passed on. */
async function replyOf(promised: Promise<unknown>): Promise<Reply> {
  try {
    return { value: await promised }
  } catch (error) {
    if (error instanceof Fault) return { fault: sentFault(error) }
    throw error
  }
}

/** Handlers of the menu's actions, in the window and the engine. */
function menuActs(window: BrowserWindow, engine: EngineProcess): Parameters<typeof nativeMenu>[1] {
  // Only the fragment of the document changes: the interface receives a change of route, and nothing is reloaded.
  const show = (route: string) => void window.loadURL(`${interfaceOrigin}/#${route}`)
  const call = async (name: string, input: unknown) => {
    const reply = await engine.call(name, input)
    if ('fault' in reply) await dialog.showMessageBox(window, { type: 'warning', message: reply.fault.text })
  }
  return {
    show,
    call: (name, input) => void call(name, input),
    command: (name) => window.webContents.send(channels.command, name),
  }
}

/** Question about unsaved input in the interface. */
const discardQuestion = {
  type: 'warning' as const,
  message: textFor('shell.discard'),
  detail: textFor('shell.discard.detail'),
  buttons: [textFor('shell.keepEditing'), textFor('shell.discardChanges')],
  defaultId: 0,
  cancelId: 0,
}
const discardAnswer = 1

/**
 * Whether the interface has no unsaved input, or the user discards it. The interface answers a dispatched `beforeunload`; when a window is
 * closed for the engine, the real event would come too late.
 */
async function mayDiscard(window: BrowserWindow): Promise<boolean> {
  const asked = `window.dispatchEvent(new Event('beforeunload', { cancelable: true }))`
  const isFree: unknown = await window.webContents.executeJavaScript(asked).catch(() => true)
  if (isFree !== false) return true
  const { response } = await dialog.showMessageBox(window, discardQuestion)
  return response === discardAnswer
}

/** Closes the window once the engine has closed. A second click has no further effect. */
function closeInOrder(window: BrowserWindow, engine: EngineProcess): void {
  let closing = false
  let closed = false
  window.on('close', (event) => {
    writeFileSync(
      windowStateFile(),
      JSON.stringify({ bounds: window.getNormalBounds(), maximized: window.isMaximized() }),
    )
    if (closed) return
    event.preventDefault()
    if (!closing) void close()
  })
  // `close` below has asked already. After a reload the page itself refuses, and this is the only place to ask.
  window.webContents.on('will-prevent-unload', (event) => {
    if (closed || dialog.showMessageBoxSync(window, discardQuestion) === discardAnswer) event.preventDefault()
  })

  async function close(): Promise<void> {
    closing = true
    if (!(await mayDiscard(window))) {
      closing = false
      return
    }
    window.hide()
    await engine.close()
    closed = true
    window.close()
  }

  app.on('second-instance', () => {
    if (window.isMinimized()) window.restore()
    window.focus()
  })
}

/** Reports that the engine's process has died, and starts the application again if the user wants it. */
async function offerRestart(): Promise<void> {
  const { response } = await dialog.showMessageBox({
    type: 'error',
    message: textFor('shell.engineDied'),
    buttons: [textFor('shell.startAgain'), textFor('shell.quit')],
  })
  if (response === 0) app.relaunch()
  app.exit(response === 0 ? 0 : 1)
}

app.on('window-all-closed', () => app.quit())

// One window on one archive: a second start shows the first.
if (app.requestSingleInstanceLock()) {
  run().catch((error: unknown) => {
    dialog.showErrorBox(textFor('shell.cannotStart'), messageOf(error))
    app.exit(1)
  })
} else app.quit()
