/** Redaction of secrets before an exchange is recorded. WARC files outlive the account and are copied and shared, so a password
 *  in one is compromised for good. The values of Authorization and Cookie are therefore removed from request records, and the
 *  metadata record lists them.
 *
 *  Answers are evidence and stay unchanged byte for byte, unless the user asks for their Set-Cookie values to be blanked too:
 *  then each value is replaced by the same number of `x`, so that all lengths and offsets of the record stay correct. */
import { fieldsOf } from '../../../formats/http/http.ts'
import type { Login } from '../../../contract/services/login.ts'
import type { Answered } from '../fetch/outcome.ts'
import type { Spool } from '../fetch/spool.ts'

/** The answer as it is recorded. 'exact' redacts nothing; 'withoutSessions' also blanks Set-Cookie in the response. */
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

/** `a=[redacted]; b=[redacted]`: the names of the cookies are not secret. */
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
