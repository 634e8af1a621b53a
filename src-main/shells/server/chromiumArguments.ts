/**
 * Command lines with which Chromium becomes Loupe's window, draws a page, or shows a viewing in a separate window: the switches of the
 * viewer, and those of each use. `chromium.ts` and `pipedChromium.ts` find and start it.
 */
import { viewerSwitches } from '../../contract/text/browserSwitches.ts'

/** Parameters of a new profile that uses the viewer proxy. */
export interface ChromiumProfile {
  proxyPort: number
  /** base64 of the SHA-256 of the certificate authority's SubjectPublicKeyInfo. */
  spkiSha256: string
  profileFolder: string
  /** Whether the process runs as root: Chromium refuses to run its sandbox then. */
  asRoot: boolean
}

export interface ChromiumWindow extends ChromiumProfile {
  appUrl: string
  appPort: number
  /**
   * Whether to open a DevTools port instead of a window. For tests only: every program that finds the port has the rights of the window.
   */
  headless: boolean
}

/** Returns the command line of a window of Loupe. */
export function chromiumArguments({ appUrl, appPort, headless, ...profile }: ChromiumWindow): string[] {
  return [
    `--app=${appUrl}`,
    // A new profile remembers no size. This is wide enough for the archived page next to its panel; a smaller screen reduces it.
    '--window-size=1400,900',
    ...profileArguments(profile, [`127.0.0.1:${appPort}`]),
    ...(headless ? ['--headless', '--remote-debugging-port=0'] : []),
  ]
}

/** Returns the command line without a window. */
export function drawingArguments(profile: ChromiumProfile): string[] {
  return [...pipedArguments(profile), '--headless', '--hide-scrollbars', '--mute-audio', '--disable-extensions']
}

/** Returns the command line for control over a pipe: an archived page could try to reach a port. */
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

/** Switches with which tabs that no one looks at are drawn and run as if they were in front: images load when they would be visible. */
export const unthrottledArguments = [
  '--disable-renderer-backgrounding',
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
] as const
