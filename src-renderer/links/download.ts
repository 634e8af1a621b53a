/** Downloads the file of an export from a server shell. The browser itself saves it, whatever its size, so the engine issues an address
 *  that needs no token and works once. */
import { Fault } from '../../src-main/contract/calls/faults.ts'
import { opened } from '../../src-main/contract/calls/service.ts'
import { reach, replyIn } from './http.ts'
import { authorizationOf } from './token.ts'
import { translate } from '../words/language.ts'

export type Download = (number: number) => Promise<void>

export interface DownloadOptions {
  origin: string
  token: string
  /** Starts the download of an address. */
  follow(address: string): void
  fetch?: typeof fetch
}

export function downloadFrom({ origin, token, follow, fetch = globalThis.fetch }: DownloadOptions): Download {
  return async (number) => {
    const asking = () => fetch(`${origin}/api/exported/${number}`, { method: 'POST', headers: authorizationOf(token) })
    const response = await reach(`export ${number}`, asking)
    const answer = opened(replyIn(await response.text(), response.status))
    if (!hasAddress(answer)) throw new Fault('internal', translate('engine.noDownload'))
    follow(`${origin}${answer.address}`)
  }
}

function hasAddress(answer: unknown): answer is { address: string } {
  return typeof answer === 'object' && answer !== null && 'address' in answer && typeof answer.address === 'string'
}

/** Follows the URL like a click on a link, so that the page stays open. */
export function followAsDownload(address: string): void {
  const link = document.createElement('a')
  link.href = address
  link.download = ''
  link.click()
}
