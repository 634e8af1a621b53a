import { expect, test } from 'vitest'
import { sourceOf } from '../../formats/bytes/testing/sourceOf.ts'
import type { IndexedCapture } from '../../indexes/indexes.ts'
import { openRecord } from './archivedRecord.ts'
import { openBrokenRecords } from './brokenRecords.ts'
import { openRecordCache } from './recordCache.ts'
import { realWorld } from '../../world/real.ts'
import { closeContent } from '../model/content.ts'
import { brokenRecordsMax } from '../model/limits.ts'
import { Unreadable } from '../model/unreadable.ts'

const url = 'http://a.example/'

/** An ARC record that may be truncated. */
function filesOver(lacking: { bytes: number }) {
  const answer = `HTTP/1.1 200 OK\nContent-Length: 3000000\n\n${'x'.repeat(3_000_000)}`
  const record = Buffer.from(`${url} 192.0.2.1 20140216050221 text/html ${answer.length}\n${answer}\n`)
  const file = () => ({
    ...sourceOf(record.subarray(0, record.length - lacking.bytes)),
    bytes: async () => record.length - lacking.bytes,
    close: async () => undefined,
  })
  return {
    broken: openBrokenRecords(),
    recent: openRecordCache({ bytesMax: () => 1_000_000, clock: realWorld().clock }),
    archived: () => ({ job: 1 }),
    borrow: async () => ({ file: file(), release: async () => undefined }),
    close: async () => undefined,
  }
}

test('a record that broke off once is read completely before it is sent, until it is repaired', async () => {
  const lacking = { bytes: 100_000 }
  const files = filesOver(lacking)
  const capture = { url, filename: 'a.arc', offset: 0 } as IndexedCapture
  const { signal } = new AbortController()
  const open = async () => closeContent((await openRecord(files, capture, signal)).body)
  await open()
  files.broken.note(capture)
  for (const time of ['once', 'again']) await expect(open(), time).rejects.toThrow(Unreadable)
  lacking.bytes = 0
  await open()
  expect(files.broken.has(capture)).toBe(false)
})

test('a closed connection prevents the complete read', async () => {
  const files = filesOver({ bytes: 0 })
  const capture = { url, filename: 'a.arc', offset: 0 } as IndexedCapture
  files.broken.note(capture)
  const left = new Error('the browser closed the connection')
  await expect(openRecord(files, capture, AbortSignal.abort(left))).rejects.toBe(left)
  expect(files.broken.has(capture)).toBe(true)
})

test('forgets the oldest records beyond the limit', () => {
  const broken = openBrokenRecords()
  const place = (offset: number) => ({ filename: 'a.warc.gz', offset })
  for (let offset = 0; offset <= brokenRecordsMax; offset += 1) broken.note(place(offset))
  expect([0, 1, brokenRecordsMax].map((offset) => broken.has(place(offset)))).toEqual([false, true, true])
})
