/** Command line switches with which Chromium sends every request to the viewer proxy. */
import { viewerSwitches } from '../../../src-main/contract/text/browserSwitches.ts'
import type { About } from './askProxy.ts'

/** `direct`: hosts that are requested without the proxy. */
export function chromiumOptions({ proxy, certificate }: About, direct: readonly string[]): string[] {
  const { spkiSha256 } = certificate
  return viewerSwitches({ proxy, spkiSha256, profileFolder: 'DIR', direct }).map((word) =>
    /[<>;]/.test(word) ? `"${word}"` : word,
  )
}
