/** An archived page in a browser window of its own: a first party, which nothing leads from to the interface. */
import { browserAddress } from '../../../src-main/contract/text/fileAddresses.ts'

export function openWindow(archived: string): void {
  window.open(browserAddress(archived), '_blank', 'noopener,noreferrer')
}
