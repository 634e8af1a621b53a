import { expect, it } from 'vitest'
import { timeRangeOf, momentAt, lookupKeyOf, type CaptureLookup } from './lookup.ts'

const url = 'http://example.com/form?b=1'

const checkKey = (sent: CaptureLookup['sent'], key: string, method = '') =>
  it(`${sent?.method ?? 'no content'} has the key ${key}`, () =>
    expect(lookupKeyOf({ url, ...(sent && { sent }) })).toEqual({ key, method }))

const form = { mediaType: 'application/x-www-form-urlencoded', content: Buffer.from('a=2') }
checkKey(undefined, 'com,example)/form?b=1')
checkKey({ ...form, method: 'get' }, 'com,example)/form?b=1')
checkKey({ ...form, method: 'POST' }, 'com,example)/form?__wb_method=post&a=2&b=1', 'POST')
checkKey({ ...form, method: 'put' }, 'com,example)/form?__wb_method=put&a=2&b=1', 'PUT')
checkKey(
  { method: 'OPTIONS', mediaType: '', content: new Uint8Array(0) },
  'com,example)/form?__wb_method=options&b=1',
  'OPTIONS',
)

it('limits the time around the requested one, and not for newest and oldest', () => {
  expect(timeRangeOf({ moment: momentAt(1000), withinMs: 10 })).toEqual({ fromMs: 990, toMs: 1010, atMs: 1000 })
  for (const kind of ['newest', 'oldest'] as const) {
    const { fromMs, toMs } = timeRangeOf({ moment: { kind }, withinMs: 10 })
    expect(toMs).toBe(-fromMs)
  }
  expect(momentAt(undefined)).toEqual({ kind: 'newest' })
})
