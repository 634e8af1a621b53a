/** The command line with which Chromium becomes Loupe's window: one application window, one profile of its own, one way out,
 *  the viewer proxy. Each flag was tried with Chromium 156. Finding and starting it is `chromium.ts`. */
import { asCaptured, insideProxy } from '../../contract/browserSwitches.ts'

export interface ChromiumWindow {
  appUrl: string
  appPort: number
  proxyPort: number
  /** base64 of the SHA-256 of the authority's SubjectPublicKeyInfo. */
  spkiSha256: string
  profileFolder: string
  /** Chromium refuses to run its sandbox as root. */
  asRoot: boolean
  /** No window, and a DevTools port: for tests only, since whoever finds the port may do everything that the window may. */
  headless: boolean
}

export function chromiumArguments(window: ChromiumWindow): string[] {
  const { appUrl, appPort, proxyPort, spkiSha256, profileFolder, asRoot, headless } = window
  return [
    `--app=${appUrl}`,
    `--user-data-dir=${profileFolder}`,
    `--proxy-server=http://127.0.0.1:${proxyPort}`,
    // Without <-loopback> an archived page could read whatever listens on this machine; only the interface goes direct.
    `--proxy-bypass-list=<-loopback>;127.0.0.1:${appPort}`,
    // The archive's own authority is trusted in this profile and nowhere else on the machine.
    `--ignore-certificate-errors-spki-list=${spkiSha256}`,
    ...insideProxy,
    ...asCaptured,
    // A new profile remembers no size; wide enough for the archived page beside its panel. A smaller screen makes it smaller.
    '--window-size=1400,900',
    '--no-first-run',
    '--no-default-browser-check',
    '--password-store=basic',
    // The browser's own errands would arrive at the proxy and be noted as missing pages.
    '--disable-sync',
    '--disable-component-update',
    '--disable-background-networking',
    ...(asRoot ? ['--no-sandbox', '--test-type'] : []),
    ...(headless ? ['--headless', '--remote-debugging-port=0'] : []),
  ]
}
