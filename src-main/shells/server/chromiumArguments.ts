/** The command lines with which Chromium becomes Loupe's window, draws a page for it, or shows a viewing in a window of its own: the switches of the
 *  viewer, and what each of them has besides. Finding and starting it is `chromium.ts` and `pipedChromium.ts`. */
import { viewerSwitches } from '../../contract/text/browserSwitches.ts'

export interface ChromiumProfile {
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
  /** No window, and a DevTools port: for tests only, since every program that finds the port may do everything that the window may. */
  headless: boolean
}

export function chromiumArguments({ appUrl, appPort, headless, ...profile }: ChromiumWindow): string[] {
  return [
    `--app=${appUrl}`,
    // A new profile remembers no size; wide enough for the archived page next to its panel. A smaller screen makes it smaller.
    '--window-size=1400,900',
    ...profileArguments(profile, [`127.0.0.1:${appPort}`]),
    ...(headless ? ['--headless', '--remote-debugging-port=0'] : []),
  ]
}

/** Without a window. */
export function drawingArguments(profile: ChromiumProfile): string[] {
  return [...pipedArguments(profile), '--headless', '--hide-scrollbars', '--mute-audio', '--disable-extensions']
}

/** Spoken to over a pipe: a port for it would be one that an archived page could try to reach. */
export function pipedArguments(profile: ChromiumProfile): string[] {
  // Otherwise it opens the start page of the distribution, which would be recorded as missing.
  return [...profileArguments(profile, []), '--remote-debugging-pipe', 'about:blank']
}

function profileArguments({ proxyPort, asRoot, ...profile }: ChromiumProfile, direct: readonly string[]): string[] {
  return [
    ...viewerSwitches({ ...profile, proxy: `127.0.0.1:${proxyPort}`, direct }),
    ...(asRoot ? ['--no-sandbox', '--test-type'] : []),
  ]
}
