/** The bytes of one HTTP/1.1 request. Pure. */

/** One field of a request header. */
export type RequestField = readonly [name: string, value: string]

/** Options of a request. */
export interface RequestOptions {
  method?: 'GET' | 'POST'
  fields?: readonly RequestField[]
  body?: Uint8Array
  /** Whether the request holds a secret; over TLS it is then sent only to a server with a trusted certificate. */
  isSecret?: boolean
}

/** Bytes of the request. It accepts every content coding that can be decoded later, since browsers receive these codings and
 *  replay has to serve them. */
export function requestFor(
  url: URL,
  { referrer, userAgent, options }: { referrer: string | undefined; userAgent: string; options: RequestOptions },
): Uint8Array {
  const { method = 'GET', fields = [], body } = options
  const lines = [
    `${method} ${url.pathname}${url.search} HTTP/1.1`,
    `Host: ${url.host}`,
    `User-Agent: ${userAgent}`,
    'Accept: text/html,application/xhtml+xml,*/*;q=0.8',
    'Accept-Encoding: gzip, br, zstd',
    ...(referrer !== undefined && mayName(referrer, url) ? [`Referer: ${referrer}`] : []),
    ...fields.map(([name, value]) => `${name}: ${value}`),
    ...(body ? [`Content-Length: ${body.length}`] : []),
    'Connection: keep-alive',
  ]
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
  return body ? Buffer.concat([head, body]) : head
}

/** Whether a Referer may be sent (RFC 9110 section 10.1.3): not from a secure page to an insecure URL, and never with user
 *  information. */
function mayName(referrer: string, url: URL): boolean {
  return !(referrer.startsWith('https:') && url.protocol === 'http:') && !/^https?:\/\/[^/]*@/.test(referrer)
}
