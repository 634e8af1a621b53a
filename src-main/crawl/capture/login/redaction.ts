/** What of an exchange is not written down. A WARC file outlives the account, is copied and lent: a password in it is lost
 *  for good. So the values of Authorization and Cookie are taken out of request records, and the metadata record says so.
 *
 *  Answers are evidence and stay byte for byte what they were, unless the person asks for their Set-Cookie to be blanked
 *  too: then each value is replaced by as many `x`, so that every length and offset of the record stays true. */
import { fieldsOf } from '../../../formats/http/http.ts'
import type { Login } from '../../../contract/services/login.ts'
import type { Answered } from '../fetch/fetch.ts'
import type { Spool } from '../fetch/spool.ts'

export async function recordedForm(answered: Answered, recorded: Login['recorded']): Promise<Answered> {
  if (recorded === 'exact') return answered
  const request = redactedRequest(answered.request)
  const redacted = request.redacted.map((name) => `${name} of the request`)
  const setsCookies = recorded === 'withoutSessions' && fieldsOf(answered.head, 'set-cookie').length > 0
  if (!setsCookies) return { ...answered, request: request.bytes, redacted }
  return {
    ...answered,
    request: request.bytes,
    response: await withoutSessions(answered.response, answered.head.bytes),
    redacted: [...redacted, 'Set-Cookie of the response'],
  }
}

function redactedRequest(bytes: Uint8Array): { bytes: Uint8Array; redacted: string[] } {
  const redacted: string[] = []
  const lines = Buffer.from(bytes).toString('latin1').split('\r\n')
  const kept = lines.map((line) => {
    const field = /^(Authorization|Cookie): ?(.*)$/i.exec(line)
    if (!field) return line
    const [, name = '', value = ''] = field
    redacted.push(name)
    return `${name}: ${name.toLowerCase() === 'cookie' ? namesOf(value) : `${value.split(' ')[0]} [redacted]`}`
  })
  return { bytes: Buffer.from(kept.join('\r\n'), 'latin1'), redacted }
}

/** `a=[redacted]; b=[redacted]`: which cookies were sent is no secret. */
function namesOf(cookies: string): string {
  return cookies.split('; ').map((pair) => (pair.includes('=') ? `${pair.slice(0, pair.indexOf('='))}=[redacted]` : '[redacted]')).join('; ') // prettier-ignore
}

async function withoutSessions(response: Spool, headBytes: number): Promise<Spool> {
  const head = blanked((await response.head(headBytes)).subarray(0, headBytes))
  return {
    get bytes() {
      return response.bytes
    },
    get memory() {
      return response.memory && [head, Buffer.concat(response.memory).subarray(headBytes)]
    },
    append: (chunk) => response.append(chunk),
    async *read() {
      yield head
      let left = headBytes
      for await (const chunk of response.read()) {
        if (left < chunk.length) yield chunk.subarray(left)
        left = Math.max(0, left - chunk.length)
      }
    },
    async head(bytesMax) {
      const start = Buffer.from(await response.head(bytesMax))
      start.set(head.subarray(0, Math.min(head.length, start.length)))
      return start
    },
    discard: () => response.discard(),
  }
}

function blanked(head: Uint8Array): Uint8Array {
  const text = Buffer.from(head).toString('latin1')
  const changed = text.replace(
    /^(set-cookie:[ \t]*[^=;\r\n]*=?)([^;\r\n]*)/gim,
    (_all, name: string, value: string) => {
      return name + 'x'.repeat(value.length)
    },
  )
  return Buffer.from(changed, 'latin1')
}
