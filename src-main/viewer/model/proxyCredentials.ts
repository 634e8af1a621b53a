/** User name and password of a proxy connection (RFC 7617), which tell viewings on one port apart. `viewings.ts` knows whose
 *  they are. Pure. */
import { isUtf8 } from 'node:buffer'

/** What a browser sends after the challenge. */
export interface ProxyCredentials {
  user: string
  password: string
}

/** The challenge that makes a browser ask for user name and password (RFC 7617 2). */
export const proxyChallenge = 'Basic realm="Loupe", charset="UTF-8"'

/** Parses a Proxy-Authorization field. Undefined if the field is absent, malformed or of another scheme; the request is then
 *  treated as one without credentials. */
export function proxyCredentialsOf(field: string | undefined): ProxyCredentials | undefined {
  // token68 of RFC 9110 11.2, restricted to base64.
  const [, coded] =
    /^basic +((?:[a-z0-9+/]{4})*(?:[a-z0-9+/]{2}(?:==)?|[a-z0-9+/]{3}=?)?)$/i.exec((field ?? '').trimEnd()) ?? []
  const bytes = Buffer.from(coded ?? '', 'base64')
  const text = isUtf8(bytes) ? bytes.toString() : ''
  const colon = text.indexOf(':')
  // Neither part may contain control characters, and the user name ends at the first colon (RFC 7617 2).
  if (colon < 0 || /\p{Cc}/u.test(text)) return undefined
  return { user: text.slice(0, colon), password: text.slice(colon + 1) }
}
