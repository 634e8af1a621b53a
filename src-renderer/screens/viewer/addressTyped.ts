/** Parses the text in the viewer's address bar as a URL that may be shown. Our own address is refused: in a frame with scripts and its own
 *  origin it would be the interface itself, inside the sandbox of an archived page. */
import { otherScheme } from '../../../src-main/contract/text/viewerAddresses.ts'

export type AddressTyped = { url: string } | { problem: 'empty' | 'notAddress' | 'notWeb' | 'ownAddress' }

export function addressTyped(typed: string, ownOrigin: string): AddressTyped {
  const text = typed.trim()
  if (text === '') return { problem: 'empty' }
  // With `http://` before them these would only look like a wrong host.
  if (/^(?:javascript|data|blob|about|mailto):/i.test(text)) return { problem: 'notWeb' }
  // `localhost:8080` and `example.org:8080` parse as schemes, so what is before a colon is a scheme only if it has no dot and no digit
  // follows it.
  const address = /^[a-z][a-z0-9+-]*:(?!\d)/i.test(text) ? text : `http://${text}`
  if (!URL.canParse(address)) return { problem: 'notAddress' }
  const url = new URL(address)
  // A file of a harvested folder. Files of other machines are never harvested by such a URL.
  if (url.protocol === 'file:' && url.host === '') return { url: url.href }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return otherScheme(url) === undefined ? { problem: 'notWeb' } : { url: url.href }
  if (url.origin === ownOrigin) return { problem: 'ownAddress' }
  return { url: url.href }
}
