/** The command lines with which Chromium becomes Loupe's window, or draws a page for it: a profile of its own, and one way out, the
 *  viewer proxy. Each flag was tried with Chromium 156. Finding and starting it is `chromium.ts` and `drawPage.ts`. */
import { asCaptured, insideProxy } from '../../contract/browserSwitches.ts'

interface ChromiumProfile {
  proxyPort: number
  /** base64 of the SHA-256 of the authority's SubjectPublicKeyInfo. */
  spkiSha256: string
  profileFolder: string
  /** Chromium refuses to run its sandbox as root. */
  asRoot: boolean
}

export interface ChromiumWindow extends ChromiumProfile {
  appUrl: string
  appPort: number
  /** No window, and a DevTools port: for tests only, since whoever finds the port may do everything that the window may. */
  headless: boolean
}

export function chromiumArguments({ appUrl, appPort, headless, ...profile }: ChromiumWindow): string[] {
  return [
    `--app=${appUrl}`,
    // A new profile remembers no size; wide enough for the archived page beside its panel. A smaller screen makes it smaller.
    '--window-size=1400,900',
    ...profileArguments(profile, [`127.0.0.1:${appPort}`]),
    ...(headless ? ['--headless', '--remote-debugging-port=0'] : []),
  ]
}

/** Without a window, spoken to over a pipe: a port for it would be one that an archived page could try to reach. */
export function drawingArguments(profile: ChromiumProfile): string[] {
  return [
    ...profileArguments(profile, []),
    '--headless',
    '--remote-debugging-pipe',
    '--hide-scrollbars',
    '--mute-audio',
    '--disable-extensions',
    // Else the start page of whoever packed this Chromium, which would be noted as missing.
    'about:blank',
  ]
}

/** `direct`: what is asked for without the proxy. */
function profileArguments(
  { proxyPort, spkiSha256, profileFolder, asRoot }: ChromiumProfile,
  direct: readonly string[],
): string[] {
  return [
    `--user-data-dir=${profileFolder}`,
    `--proxy-server=http://127.0.0.1:${proxyPort}`,
    // Without <-loopback> an archived page could read whatever listens on this machine; only the interface goes direct.
    `--proxy-bypass-list=${['<-loopback>', ...direct].join(';')}`,
    // The archive's own authority is trusted in this profile and nowhere else on the machine.
    `--ignore-certificate-errors-spki-list=${spkiSha256}`,
    ...insideProxy,
    ...asCaptured,
    '--no-first-run',
    '--no-default-browser-check',
    '--password-store=basic',
    // The browser's own errands would arrive at the proxy and be noted as missing pages.
    '--disable-sync',
    '--disable-component-update',
    '--disable-background-networking',
    ...(asRoot ? ['--no-sandbox', '--test-type'] : []),
  ]
}
