/** Replies of the contract over HTTP, and the input of calls. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Fault, faults, sentFault } from '../../contract/calls/faults.ts'
import type { Reply } from '../../contract/calls/service.ts'
import { messageOf } from '../../contract/text/messageOf.ts'
import { message } from '../../contract/words/message.ts'

/** Maximum size of a call's body. Large enough for a definition of 10,000 seeds of 400 characters. */
const bodyBytesMax = 4 * 1024 * 1024

/** Reads `{input}` as JSON. A connection that ends early gives a fault that no client reads. */
export async function bodyOf(request: IncomingMessage): Promise<Reply> {
  if (!/^application\/json\b/.test(request.headers['content-type'] ?? ''))
    return replyOf(new Fault('badInput', message('server.notJson')))
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    // The rest of a body that is too large is read and discarded: cutting the connection in the middle of a body would lose the reason.
    for await (const chunk of request as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes <= bodyBytesMax) chunks.push(chunk)
    }
  } catch (error) {
    return replyOf(new Fault('stopped', message('server.cut', { problem: String(error) })))
  }
  if (bytes > bodyBytesMax) return replyOf(new Fault('badInput', message('server.bodyLong', { bytes: bodyBytesMax })))
  return inputIn(Buffer.concat(chunks).toString('utf8'))
}

/** Parses a body; its `input` may be absent, for calls without parameters. */
function inputIn(text: string): Reply {
  try {
    const body: unknown = JSON.parse(text)
    return { value: typeof body === 'object' && body !== null && 'input' in body ? body.input : undefined }
  } catch (error) {
    return replyOf(new Fault('badInput', message('server.notJsonText', { problem: messageOf(error) })))
  }
}

export function replyOf(fault: Fault): Extract<Reply, { fault: unknown }> {
  return { fault: sentFault(fault) }
}

export function sendReply(response: ServerResponse, reply: Reply, status: number = statusOf(reply)): void {
  sendJson(response, status, reply)
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  response.end(JSON.stringify(value))
}

/** HTTP status of a reply: that of its fault's code, else 200. */
function statusOf(reply: Reply): number {
  return 'fault' in reply ? faults[reply.fault.code].status : 200
}
