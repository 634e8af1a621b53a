import { PassThrough, Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { expect, it } from 'vitest'
import { requestContentBytesMax } from '../model/limits.ts'
import { contentReader } from './requestContent.ts'

const whole = Buffer.alloc(requestContentBytesMax, 'what a form sends ')

const check = (what: string, sent: Uint8Array[], expected: Uint8Array | undefined, length?: number) =>
  it(what, async () => {
    const content = contentReader(Readable.from(sent, { objectMode: false }), length?.toString())
    const got = await content()
    expect(got === undefined ? undefined : Buffer.from(got).equals(expected ?? Buffer.alloc(0))).toBe(expected && true)
    expect(await content()).toBe(got)
  })

check('no content is empty', [], Buffer.alloc(0))
check('several parts are joined', [Buffer.from('a'), Buffer.from('b'), Buffer.from('c')], Buffer.from('abc'))
check('content of the maximum size is read', [whole.subarray(0, 5), whole.subarray(5)], whole)
check('larger content is not kept', [whole, Buffer.from('!')], undefined)
check('content with a larger Content-Length is not kept', [Buffer.from('a')], undefined, requestContentBytesMax + 1)
check(
  'content with a Content-Length of the maximum size is read',
  [Buffer.from('a')],
  Buffer.from('a'),
  requestContentBytesMax,
)

it('reads an oversized body to its end without keeping it', async () => {
  const stream = Readable.from([whole, whole, whole], { objectMode: false })
  expect(await contentReader(stream, undefined)()).toBe(undefined)
  await finished(stream)
})

it('rejects when the browser closes the connection, before or during the read', async () => {
  const stream = new PassThrough()
  stream.write('half of')
  const reading = contentReader(stream, undefined)()
  stream.destroy(new Error('reset'))
  await expect(reading).rejects.toThrow('the browser went away')
  await expect(contentReader(stream, undefined)()).rejects.toThrow('the browser went away')
})
