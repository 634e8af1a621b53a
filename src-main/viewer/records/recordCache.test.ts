import { expect, test } from 'vitest'
import { sourceOf } from '../../formats/bytes/testing/sourceOf.ts'
import { cachedBodyBytesMax, cachedRecordMsMax, placesSeenMax, recordHeadBytesGuess } from '../model/limits.ts'
import { streamOf, type Content } from '../model/content.ts'
import { Unreadable } from '../model/unreadable.ts'
import { openRecord } from './archivedRecord.ts'
import type { ArchivedRecord } from './openedRecord.ts'
import { openBrokenRecords } from './brokenRecords.ts'
import type { OpenFiles } from './openFiles.ts'
import { openRecordCache } from './recordCache.ts'

const place = (offset: number) => ({ filename: 'a.warc.gz', offset, url: 'http://a.example/' })

/** A record as the reader returns it: its item refers to the compressed bytes. */
function recordOf(body: Content): ArchivedRecord {
  const item = { type: 'response', fields: [], url: 'http://a.example/', date: '', reader: Buffer.alloc(10) }
  const head = { version: 'HTTP/1.1', status: 200, reason: 'OK', fields: [], bytes: 0 }
  return { item, head, body, bodyBytes: undefined, truncated: undefined }
}
const bytes = (size: number) => new Uint8Array(size)
async function* oneByte(): AsyncGenerator<Uint8Array> {
  yield bytes(1)
}
/** Memory in bytes that the cache counts for a record with a body of this size. */
const counted = (size: number) => size + recordHeadBytesGuess

/** A cache whose limit the test can change, with a clock that the test advances. */
function cacheOf(bytesMax: number) {
  const limit = { bytesMax }
  let nowMs = 0
  const sleeping: { untilMs: number; wake: () => void }[] = []
  const clock = {
    now: () => nowMs,
    elapsed: () => nowMs,
    sleep: (durationMs: number, signal?: AbortSignal) =>
      new Promise<void>((wake, stopped) => {
        sleeping.push({ untilMs: nowMs + durationMs, wake })
        signal?.addEventListener('abort', () => stopped(signal.reason as Error))
      }),
  }
  const cache = openRecordCache({ bytesMax: () => limit.bytesMax, clock })
  async function advance(durationMs: number): Promise<void> {
    nowMs += durationMs
    for (const each of sleeping.splice(0)) {
      if (each.untilMs <= nowMs) each.wake()
      else sleeping.push(each)
    }
    await new Promise((others) => setImmediate(others))
  }
  /** Puts a record twice, as two requests do. */
  const putTwice = (offset: number, record: ArchivedRecord) => {
    cache.put(place(offset), record)
    cache.put(place(offset), record)
  }
  const kept = () => [0, 1, 2, 3].filter((offset) => cache.get(place(offset)) !== undefined)
  return { cache, putTwice, limit, advance, kept, sleepers: () => sleeping.length }
}

test('returns the same bytes, without the reader of the record', async () => {
  const { cache, putTwice } = cacheOf(100_000)
  const record = recordOf(new TextEncoder().encode('the body'))
  putTwice(0, record)
  const { item, ...known } = cache.get(place(0)) ?? {}
  expect(known).toEqual({ head: record.head, body: record.body, bodyBytes: undefined, truncated: undefined })
  expect(item).toEqual({ type: 'response', fields: [], url: 'http://a.example/', date: '' })
  await cache.close()
})

test('keeps a record when it is read for the second time', async () => {
  const { cache, kept } = cacheOf(100_000)
  cache.put(place(0), recordOf(bytes(1)))
  expect(kept()).toEqual([])
  cache.put(place(1), recordOf(bytes(1)))
  cache.put(place(0), recordOf(bytes(1)))
  expect(kept()).toEqual([0])
  await cache.close()
})

test('remembers a bounded number of records as read before', async () => {
  const { cache, kept } = cacheOf(100_000)
  for (let offset = 0; offset <= placesSeenMax; offset += 1) cache.put(place(offset), recordOf(bytes(1)))
  for (const offset of [1, 0]) cache.put(place(offset), recordOf(bytes(1)))
  expect(kept()).toEqual([1])
  await cache.close()
})

test('tells records apart by file, offset and URL', async () => {
  const { cache, putTwice } = cacheOf(100_000)
  putTwice(0, recordOf(bytes(1)))
  const others = [{ filename: 'b.warc.gz' }, { offset: 1 }, { url: 'http://b.example/' }]
  expect(others.map((other) => cache.get({ ...place(0), ...other }))).toEqual([undefined, undefined, undefined])
  await cache.close()
})

test('drops the least recently used record when the memory is full', async () => {
  const { cache, putTwice, kept } = cacheOf(3 * counted(1000))
  for (const offset of [0, 1, 2]) putTwice(offset, recordOf(bytes(1000)))
  cache.get(place(0))
  putTwice(3, recordOf(bytes(1000)))
  expect(kept()).toEqual([0, 2, 3])
  await cache.close()
})

test('counts a record that was read twice only once', async () => {
  const { cache, putTwice, kept } = cacheOf(2 * counted(1000))
  putTwice(0, recordOf(bytes(1000)))
  putTwice(1, recordOf(bytes(1000)))
  putTwice(1, recordOf(bytes(1000)))
  expect(kept()).toEqual([0, 1])
  await cache.close()
})

test('a small part of a large buffer does not keep the buffer', async () => {
  const { cache, putTwice, kept } = cacheOf(2 * counted(10))
  const part = Buffer.alloc(1_000_000, 'abc').subarray(1, 11)
  for (const offset of [0, 1]) putTwice(offset, recordOf(part))
  expect(kept()).toEqual([0, 1])
  const { body } = cache.get(place(0)) ?? {}
  expect(body).toEqual(new Uint8Array(part))
  expect(body instanceof Uint8Array && body.buffer.byteLength).toBe(10)
  await cache.close()
})

test('counts the whole buffer when the record uses most of it', async () => {
  const { cache, putTwice, kept } = cacheOf(counted(1000))
  putTwice(0, recordOf(bytes(1001).subarray(0, 600)))
  expect(kept()).toEqual([])
  putTwice(0, recordOf(bytes(1000).subarray(0, 600)))
  expect(kept()).toEqual([0])
  await cache.close()
})

test.each([
  ['a stream', streamOf(oneByte(), () => Promise.resolve())],
  ['a large body', bytes(cachedBodyBytesMax + 1)],
])('does not keep %s', async (_, body) => {
  const { cache, putTwice, kept } = cacheOf(100 * cachedBodyBytesMax)
  putTwice(0, recordOf(body))
  expect(kept()).toEqual([])
  await cache.close()
})

test('a lower limit takes effect with the next record, and 0 keeps none', async () => {
  const { cache, putTwice, limit, kept } = cacheOf(3 * counted(1000))
  for (const offset of [0, 1, 2]) putTwice(offset, recordOf(bytes(1000)))
  limit.bytesMax = counted(1000)
  putTwice(3, recordOf(bytes(1000)))
  expect(kept()).toEqual([3])
  limit.bytesMax = 0
  putTwice(0, recordOf(bytes(1000)))
  expect(kept()).toEqual([])
  await cache.close()
})

test('drops a record after its time limit, however often it is used', async () => {
  const { cache, putTwice, advance, kept } = cacheOf(100_000)
  putTwice(0, recordOf(bytes(1000)))
  await advance(cachedRecordMsMax - 1)
  expect(kept()).toEqual([0])
  putTwice(1, recordOf(bytes(1000)))
  await advance(1)
  expect(kept()).toEqual([1])
  await cache.close()
})

test('frees unused memory and then has no pending timer', async () => {
  const { cache, putTwice, advance, sleepers } = cacheOf(100_000)
  putTwice(0, recordOf(bytes(1000)))
  expect(sleepers()).toBe(1)
  await advance(cachedRecordMsMax)
  expect(sleepers()).toBe(0)
  putTwice(1, recordOf(bytes(1000)))
  expect(sleepers()).toBe(1)
  await cache.close()
})

test('a record is read twice, and again after its file was deleted from the archive', async () => {
  const url = 'http://a.example/'
  const answer = 'HTTP/1.1 200 OK\nContent-Length: 4\n\nbody'
  const record = Buffer.from(`${url} 192.0.2.1 20140216050221 text/html ${answer.length}\n${answer}\n`)
  const { cache } = cacheOf(100_000)
  const archive = { hasFile: true, borrowed: 0 }
  const files: OpenFiles = {
    broken: openBrokenRecords(),
    recent: cache,
    archived: () => (archive.hasFile ? { job: 1 } : undefined),
    async borrow() {
      archive.borrowed += 1
      const file = { ...sourceOf(record), bytes: async () => record.length, close: async () => undefined }
      return archive.hasFile ? { file, release: async () => undefined } : undefined
    },
    close: async () => undefined,
  }
  const read = async () => {
    const { body } = await openRecord(files, { ...place(0), length: 0 }, new AbortController().signal)
    return body instanceof Uint8Array ? Buffer.from(body).toString() : undefined
  }
  expect([await read(), await read(), await read(), archive.borrowed]).toEqual(['body', 'body', 'body', 2])
  archive.hasFile = false
  await expect(read()).rejects.toThrow(Unreadable)
  await cache.close()
})
