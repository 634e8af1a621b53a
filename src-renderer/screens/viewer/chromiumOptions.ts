/** The switches with which a Chromium asks the viewer proxy for everything, as words of a command line. */
import { viewerSwitches } from '../../../src-main/contract/text/browserSwitches.ts'
import type { About } from './askProxy.ts'

/** `direct`: what is asked for without the proxy. */
export function chromiumOptions({ proxy, certificate }: About, direct: readonly string[]): string[] {
  const { spkiSha256 } = certificate
  return viewerSwitches({ proxy, spkiSha256, profileFolder: 'DIR', direct }).map((word) =>
    /[<>;]/.test(word) ? `"${word}"` : word,
  )
}
