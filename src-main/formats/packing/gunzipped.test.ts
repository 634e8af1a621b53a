import { gzipSync } from 'node:zlib'
import { expect, test, vi } from 'vitest'
import { gunzipped } from './gunzipped.ts'

/** Gives the bytes in chunks of one buffer that is used again, as the disk does. */
async function* inChunks(bytes: Uint8Array, chunkBytes: number): AsyncGenerator<Uint8Array> {
  const buffer = Buffer.alloc(chunkBytes)
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    const copied = Buffer.from(bytes).copy(buffer, 0, at, at + chunkBytes)
    yield buffer.subarray(0, copied)
    await Promise.resolve()
  }
}

async function contentOf(chunks: AsyncIterable<Uint8Array>, onDamage?: () => void): Promise<string> {
  const parts: Uint8Array[] = []
  for await (const part of gunzipped(chunks, onDamage)) parts.push(Uint8Array.from(part))
  return Buffer.concat(parts).toString('utf8')
}

const lines = Array.from({ length: 20_000 }, (_, number) => `line ${number * 7919}\n`).join('')
const packed = gzipSync(lines)

test.each([1_000, 64 * 1024, packed.length])('yields the same content from chunks of %i bytes', async (chunkBytes) => {
  const onDamage = vi.fn()
  expect(await contentOf(inChunks(packed, chunkBytes), onDamage)).toBe(lines)
  expect(onDamage).not.toHaveBeenCalled()
})

const members = Buffer.concat([gzipSync('first '), gzipSync('second '), gzipSync('third')])

test('reads members one after another, wherever the chunks end', async () => {
  for (let chunkBytes = 1; chunkBytes <= members.length; chunkBytes++)
    expect(await contentOf(inChunks(members, chunkBytes))).toBe('first second third')
})

test('yields the beginning of data that are cut off at any byte', async () => {
  for (let bytes = 0; bytes < members.length; bytes++)
    expect('first second third'.startsWith(await contentOf(inChunks(members.subarray(0, bytes), 7)))).toBe(true)
})

const half = Math.floor(packed.length / 2)
const damaged = Buffer.from(packed)
damaged.fill(0xff, half)

test.each<[string, Uint8Array]>([
  ['data that are cut off', packed.subarray(0, half)],
  ['damaged data', damaged],
])('yields the content of %s up to the damage, and reports it', async (_, bytes) => {
  const onDamage = vi.fn()
  const content = await contentOf(inChunks(bytes, 1_000), onDamage)
  expect(onDamage).toHaveBeenCalledOnce()
  expect(content.length).toBeGreaterThan(lines.length / 4)
  expect(lines.startsWith(content.slice(0, lines.length / 4))).toBe(true)
})

test('yields nothing of data that are not gzip', async () => {
  expect(await contentOf(inChunks(Buffer.from('plain text'), 100))).toBe('')
})

test('passes on an error of the chunks', async () => {
  async function* failing(): AsyncGenerator<Uint8Array> {
    yield packed.subarray(0, 100)
    throw new Error('the disk failed')
  }
  await expect(contentOf(failing())).rejects.toThrow('the disk failed')
})

test('closes the chunks when the caller stops reading', async () => {
  const onClose = vi.fn()
  async function* endless(): AsyncGenerator<Uint8Array> {
    try {
      yield packed
      throw new Error('no more is needed')
    } finally {
      onClose()
    }
  }
  for await (const _ of gunzipped(endless())) break
  expect(onClose).toHaveBeenCalledOnce()
})
