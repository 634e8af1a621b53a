/** Writes one reply to a browser's connection: small ones in one send, streams no faster than the browser reads. */
import type { ServerResponse } from 'node:http'
import type { Reply } from './resolvers.ts'

/** Rejects when the reply's stream does, after breaking the connection: a short body must not look whole. */
export async function sendReply(reply: Reply, response: ServerResponse): Promise<void> {
  const { status, reason, fields, body } = reply
  try {
    // The archived Date, or none: this is not a new answer.
    response.sendDate = false
    response.writeHead(
      status,
      sayable(reason),
      fields.flatMap(([name, value]) => [name, sayable(value)]),
    )
    if (body instanceof Uint8Array) return void response.end(body)
    for await (const chunk of body) {
      if (response.destroyed) return
      if (!response.write(chunk)) await drained(response)
    }
    response.end()
  } catch (error) {
    if (response.headersSent) response.destroy()
    throw error
  } finally {
    if (!(body instanceof Uint8Array)) await body.close()
  }
}

/** Resolves when the browser has taken what was written, or is gone. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((ready) => {
    const settle = () => {
      response.off('drain', settle).off('close', settle)
      ready()
    }
    response.on('drain', settle).on('close', settle)
  })
}

/** RFC 9110 6.4.1: these have no content, whatever the record holds. */
export function hasNoBody(status: number): boolean {
  return status === 204 || status === 304 || (status >= 100 && status < 200)
}

/** Field values and reason phrases as they may stand in a message (RFC 9110 5.5): archived ones hold anything. */
function sayable(text: string): string {
  return text.replace(/[^\t\x20-\x7e\x80-\xff]/g, ' ')
}
