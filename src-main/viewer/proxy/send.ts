/** Sends one reply to a browser: small ones with a single write, others with backpressure. */
import type { Writable } from 'node:stream'
import { closeContent } from '../model/content.ts'
import type { ReplyChannel } from './replyChannel.ts'
import type { Reply } from '../model/reply.ts'

/** Rejects if the reply's stream does. The browser has then received only a part. */
export async function sendReply(reply: Reply, channel: ReplyChannel): Promise<void> {
  const { body } = reply
  try {
    if (!channel.isOver()) await sendOver(reply, channel)
  } finally {
    await closeContent(body)
  }
}

async function sendOver(reply: Reply, channel: ReplyChannel): Promise<void> {
  const { status, body } = reply
  const bytes = body instanceof Uint8Array ? body.length : undefined
  if (channel.isHead || hasNoBody(status) || bytes === 0) return channel.sendHead(reply, 'nothing')
  channel.sendHead(reply, bytes === undefined ? 'stream' : 'bytes')
  const { content, bytesMax } = channel
  if (body instanceof Uint8Array && body.length <= bytesMax) return void content.end(body)
  for await (const part of body instanceof Uint8Array ? pieces(body, bytesMax) : body) {
    if (channel.isOver()) return
    if (!content.write(part)) await drained(content)
  }
  if (!channel.isOver()) content.end()
}

/** Splits bytes into pieces of at most `size` bytes. */
function* pieces(bytes: Uint8Array, size: number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

/** Resolves when the buffer is empty again or the channel is closed. */
function drained(content: Writable): Promise<void> {
  return new Promise((ready) => {
    const settle = () => {
      content.off('drain', settle).off('close', settle)
      ready()
    }
    content.on('drain', settle).on('close', settle)
  })
}

/** Whether responses with this status have no content, whatever the record contains (RFC 9110 6.4.1, 15.3.6). */
export function hasNoBody(status: number): boolean {
  return status === 204 || status === 205 || status === 304 || (status >= 100 && status < 200)
}
