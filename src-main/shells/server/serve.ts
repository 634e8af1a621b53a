/**
 * The server shell: the engine in this process, its contract on one port, its viewer proxy on another, rewritten replay on a third, and, on
 * request, an application window of a Chromium. Both `npm start` and `loupe serve` use it; they decide what is printed.
 */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { userAclsOf } from '../../app/services/userAcls.ts'
import { openEngine, type Engine } from '../../app/engine.ts'
import type { FolderAccepted } from '../../app/given/engineSetting.ts'
import type { DrawnPage, PageToDraw } from '../../app/given/drawnPage.ts'
import { contract } from '../../contract/contract.ts'
import { leastRoles } from '../../contract/roles.ts'
import { Fault } from '../../contract/calls/faults.ts'
import { writtenBy } from '../places/exportedFile.ts'
import { announceEngine, withdrawEngine } from '../places/engineFile.ts'
import { separateBrowsers } from './separateBrowsers.ts'
import { findChromium, openWindow, type OpenWindow } from './chromium.ts'
import { drawPage } from './drawPage.ts'
import { openPageBrowser } from './pageBrowser.ts'
import { serveContract } from './httpServer.ts'
import { openPort, type OpenPort } from './ports.ts'
import { openRewrittenReplay, type RewrittenReplay } from './rewrittenReplay.ts'
import { openPublicPort, type PublicSetting } from './publicPort.ts'
import { trustedProxy } from './trustedProxy.ts'
import { message } from '../../contract/words/message.ts'
import { messageOf } from '../../contract/text/messageOf.ts'
import { textFor } from '../../contract/words/render.ts'
import { userSettingsFile } from '../places/userSettings.ts'

/** Output folder of `npm run build` for the interface. */
export const builtInterface = join(import.meta.dirname, '../../../out/renderer')

/** Parameters of the server shell. */
export interface ServeOptions {
  archiveFolder: string
  /** Absent: a new archive may also be created, as at the start of a window. */
  accepts?: FolderAccepted
  version: string
  /** Absent: `server`. A command that works on jobs serves as `cli`. */
  shell?: 'server' | 'cli'
  /** 0: any free port. Absent: the setting `server.port`. */
  port?: number
  /** Absent or 0: any free port. */
  viewerPort?: number
  /** A port for accounts, which other machines may reach. Absent: there is none. */
  public?: PublicSetting
  rendererFolder?: string
  onBug(error: unknown, name: string): void
  /** Takes sentences about what was found and changed while the archive was opened. */
  onNotice?: (sentence: string) => void
  /** Takes lines for the administrator, such as refused requests. */
  log(text: string): void
}

/** A running server shell. */
export interface Serving {
  /** Address of the interface, with the session token, which permits every call. */
  url: string
  /** Address of the interface for accounts; undefined: they cannot log in. */
  publicUrl: string | undefined
  /** The viewer proxy, `host:port`. */
  proxy: string
  /** Address of the rewritten replay, for browsers of this machine that do not use the proxy. It contains a secret of this start. */
  rewritten: string
  engine: Engine
  /** Opens a window of the interface in the Chromium at this path. */
  openWindow(chromium: string, how?: { headless: boolean }): Promise<OpenWindow>
  close(): Promise<void>
}

/** Starts the server. Throws `Fault`: inUse (the archive), refused (the port), damaged, notAllowed. */
export async function serve(options: ServeOptions): Promise<Serving> {
  const { archiveFolder, version, viewerPort = 0, rendererFolder = builtInterface, onBug, log } = options
  // The viewer must know the interface's origin to tell its frames from a page's, and reads this at each request.
  const allowedOrigins: string[] = []
  let replay: RewrittenReplay | undefined
  const browsers = separateBrowsers(archiveFolder)
  const engine = await openEngine({
    ...{ archiveFolder, shell: options.shell ?? 'server', version, run: true, viewerPort, allowedOrigins },
    viewerNeedsCredentials: options.public !== undefined,
    rewrittenAddress: () => replay?.address,
    userSettingsFile: userSettingsFile(),
    ...(options.accepts && { accepts: options.accepts }),
    ...(options.onNotice && { onNotice: options.onNotice }),
    drawPage: drawInChromium,
    openPageBrowser,
    startBrowser: browsers.start,
  })
  let at: OpenPort | undefined
  let publicAt: OpenPort | undefined
  try {
    await browsers.clearUp()
    at = await openPort(options.port ?? engine.settings.number('server.port'))
    const proxy = options.public?.proxy && (await trustedProxy(options.public.proxy))
    const provider = await providerOf(options.public)
    publicAt = options.public && (await openPublicPort(options.public))
    const rewritten = (replay = await openRewrittenReplay({ engine, onBug, log }))
    allowedOrigins.push(...at.origins, ...(publicAt?.origins ?? []))
    const token = randomBytes(32).toString('base64url')
    const { services, implementation, operator, passOn, incoming, viewer, spkiSha256 } = engine
    const exported = async (number: number) => writtenBy(await services.exports.list({}), number)
    const metrics = async () => (await services.monitoring.metrics({})).text
    const userAcls = userAclsOf(services)
    const offered = { contract, services: implementation, leastRoles, version, incoming, rendererFolder, onBug, log }
    const answering = { ...offered, at, admission: { token, operator }, passOn, exported, metrics, userAcls }
    const served = await serveContract(answering)
    const admission = { accounts: engine.accounts, ...(proxy && { proxy }), ...(provider && { provider }) }
    const publicServed = publicAt && (await serveContract({ ...offered, at: publicAt, admission, exported }))
    await announceEngine(archiveFolder, { origin: served.origin, token, pid: process.pid }).catch((error: unknown) =>
      // For example on a full disk, where users must still be able to view the archive.
      log(textFor('serving.unannounced', { problem: messageOf(error) })),
    )
    return {
      url: served.url,
      publicUrl: publicServed?.url,
      proxy: `${viewer.host}:${viewer.port}`,
      rewritten: rewritten.address,
      engine,
      openWindow: (chromium, { headless } = { headless: false }) =>
        openWindow(chromium, {
          secretUrl: `${served.openingUrl()}&window=own`,
          appPort: served.port,
          proxyPort: viewer.port,
          spkiSha256,
          headless,
        }),
      async close() {
        await withdrawEngine(archiveFolder)
        await publicServed?.close()
        await served.close()
        await rewritten.close()
        await engine.close()
      },
    }
  } catch (error) {
    at?.server.close()
    publicAt?.server.close()
    await replay?.close()
    await engine.close()
    throw error
  }
}

/** Draws with the Chromium of this machine, also for an interface shown in another browser. */
async function drawInChromium(wanted: PageToDraw): Promise<DrawnPage> {
  const found = findChromium()
  if (found.path === undefined)
    throw new Fault('refused', message('browser.needed', { reason: found.why, command: found.command }))
  return drawPage(found.path, wanted)
}

/** The provider of a setting. Its package is loaded only for a server that has one. */
async function providerOf(setting: PublicSetting | undefined) {
  if (setting?.provider === undefined) return undefined
  const { identityProvider } = await import('./identityProvider.ts')
  return identityProvider(setting.provider)
}
