/** Opens an archived page in a browser window of its own. Its cookies are first-party there, and it has no reference to the interface. */
import { browserAddress } from '../../../src-main/contract/text/viewerAddresses.ts'

export function openWindow(archived: string): void {
  window.open(browserAddress(archived), '_blank', 'noopener,noreferrer')
}
