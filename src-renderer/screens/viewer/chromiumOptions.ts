/** The options with which a Chromium asks the viewer proxy for everything, and trusts the archive's own authority. */
import { asCaptured, insideProxy } from '../../../src-main/contract/browserSwitches.ts'
import type { About } from './askProxy.ts'

/** `direct`: what is asked for without the proxy. `<-loopback>` makes Chromium ask it for localhost too: else an archived page
 *  could read this machine. */
export function chromiumOptions({ proxy, certificate }: About, direct: readonly string[]): string[] {
  return [
    `--user-data-dir=DIR`,
    `--proxy-server=http://${proxy}`,
    `--proxy-bypass-list="${['<-loopback>', ...direct].join(';')}"`,
    `--ignore-certificate-errors-spki-list=${certificate.spkiSha256}`,
    ...insideProxy,
    ...asCaptured,
  ]
}
