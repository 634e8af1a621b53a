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

check('nothing is empty', [], Buffer.alloc(0))
check('several parts become one', [Buffer.from('a'), Buffer.from('b'), Buffer.from('c')], Buffer.from('abc'))
check('as much as is allowed is read', [whole.subarray(0, 5), whole.subarray(5)], whole)
check('more than that is not', [whole, Buffer.from('!')], undefined)
check('a length that says more is believed', [Buffer.from('a')], undefined, requestContentBytesMax + 1)
check('a length that says as much is no reason', [Buffer.from('a')], Buffer.from('a'), requestContentBytesMax)

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
