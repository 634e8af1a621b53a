/** Name and password of a proxy connection (RFC 7617), by which viewings on one port are told apart. Who
 *  has them is `viewings.ts`'s to say. Pure. */
import { isUtf8 } from 'node:buffer'

export interface ProxyCredentials {
  user: string
  password: string
}

/** RFC 7617 2: what a browser is asked for who it is with. */
export const proxyChallenge = 'Basic realm="Loupe", charset="UTF-8"'

/** Of a Proxy-Authorization field. Undefined when it is absent, of another scheme or malformed: who cannot say who he is comes
 *  without a name. */
export function proxyCredentialsOf(field: string | undefined): ProxyCredentials | undefined {
  // token68 of RFC 9110 11.2, as base64 uses it.
  const [, coded] =
    /^basic +((?:[a-z0-9+/]{4})*(?:[a-z0-9+/]{2}(?:==)?|[a-z0-9+/]{3}=?)?)$/i.exec((field ?? '').trimEnd()) ?? []
  const bytes = Buffer.from(coded ?? '', 'base64')
  const text = isUtf8(bytes) ? bytes.toString() : ''
  const colon = text.indexOf(':')
  // RFC 7617 2: neither holds control characters, and the name ends at the first colon.
  if (colon < 0 || /\p{Cc}/u.test(text)) return undefined
  return { user: text.slice(0, colon), password: text.slice(colon + 1) }
}
