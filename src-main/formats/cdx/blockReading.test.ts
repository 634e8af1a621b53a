import { expect, test } from 'vitest'
import type { ArchiveRecord } from '../records/record.ts'
import { readBlock, type Wanted } from './blockReading.ts'
import { sha1Base32 } from '../bytes/digest.ts'

/** A block in parts, which counts how many were taken. */
function blockIn(parts: Uint8Array[]) {
  const counted = { taken: 0 }
  const block: AsyncIterator<Uint8Array> = {
    next() {
      const value = parts[counted.taken]
      if (value === undefined) return Promise.resolve({ done: true, value: undefined })
      counted.taken++
      return Promise.resolve({ done: false, value })
    },
  }
  return { counted, block }
}

function recordOf(type: string, fields: [string, string][] = []): ArchiveRecord {
  return {
    format: 'warc',
    version: 'WARC/1.1',
    number: 1,
    offset: 0,
    addressable: true,
    type,
    fields,
    header: new Uint8Array(0),
    url: 'http://a/',
    date: '',
    contentType: `application/http; msgtype=${type}`,
    blockBytes: 0,
    heldBlock: undefined,
    block: () => {
      throw new Error('the block is given next to the record')
    },
    finish: () => Promise.resolve({ length: 1, whole: true, findings: [] }),
  }
}

const wanted: Wanted = { digest: true, head: true, request: true }
const head = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n'

test('reads only the head of a record that states its digest', async () => {
  const parts = [head.slice(0, 20), head.slice(20), 'body', 'body'].map((text) => Buffer.from(text))
  const named = recordOf('response', [['WARC-Payload-Digest', sha1Base32([])]])
  const first = blockIn(parts)
  expect(await readBlock(named, first.block, wanted)).toMatchObject({ status: 200, payloadDigest: sha1Base32([]) })
  expect(first.counted.taken).toBe(2)
  const second = blockIn(parts)
  await readBlock(recordOf('response'), second.block, { ...wanted, digest: false })
  expect(second.counted.taken).toBe(2)
  const third = blockIn(parts)
  const read = await readBlock(recordOf('response'), third.block, wanted)
  expect(read.payloadDigest).toBe(sha1Base32([Buffer.from('bodybody')]))
})

test('reads only the head of a GET request, and the body of other requests', async () => {
  const parts = ['GET / HTTP/1.1\r\n\r\n', 'x', 'y'].map((text) => Buffer.from(text))
  const get = blockIn(parts)
  const request = { ...wanted, digest: false }
  expect((await readBlock(recordOf('request'), get.block, request)).request).toMatchObject({
    method: 'GET',
    folded: undefined,
  })
  expect(get.counted.taken).toBe(1)
  const post = blockIn([Buffer.from('post / HTTP/1.1\r\n\r\n'), ...parts.slice(1)])
  expect((await readBlock(recordOf('request'), post.block, request)).request).toMatchObject({
    method: 'POST',
    folded: { url: 'http://a/?__wb_method=POST&__wb_post_data=eHk=' },
  })
})

test('a short body that is declared chunked but is not is the payload', async () => {
  const text = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nbody'
  const { payloadDigest } = await readBlock(recordOf('response'), blockIn([Buffer.from(text)]).block, wanted)
  expect(payloadDigest).toBe(sha1Base32([Buffer.from('body')]))
})

test('reads the same when fed byte by byte', async () => {
  const messages: [type: string, text: string][] = [
    ['response', `${head}body`],
    [
      'response',
      'HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.0 404 No\nTransfer-Encoding: chunked\n\n2\r\nab\r\n0\r\n\r\nmore',
    ],
    ['response', 'no HTTP at all'],
    ['response', ''],
    [
      'request',
      'PUT / HTTP/1.1\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n7\r\n{"a":1}\r\n0\r\n\r\n',
    ],
    ['request', 'none'],
  ]
  for (const [type, text] of messages) {
    const bytes = Buffer.from(text)
    const whole = await readBlock(recordOf(type), blockIn([bytes]).block, wanted)
    // Reuses one buffer for each byte, as a reader may do.
    const single = Buffer.alloc(1)
    let at = 0
    const block: AsyncIterator<Uint8Array> = {
      next() {
        if (at === bytes.length) return Promise.resolve({ done: true, value: undefined })
        single[0] = bytes[at++] ?? 0
        return Promise.resolve({ done: false, value: single })
      },
    }
    expect(await readBlock(recordOf(type), block, wanted), text).toEqual(whole)
  }
})
