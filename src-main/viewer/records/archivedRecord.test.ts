import { expect, test } from 'vitest'
import { sourceOf } from '../../formats/bytes/testing/sourceOf.ts'
import { readRecordAt } from '../../formats/records/readRecords.ts'
import { contentOf, recordPlace } from './archivedRecord.ts'
import type { ArchivedRecord } from './openedRecord.ts'
import { partsOf } from '../model/content.ts'
import { Unreadable } from '../model/unreadable.ts'

/** An ARC record with a body of 5 bytes whose length is 12 bytes too large, as in `example-space-in-url.arc` of warcio. */
async function contentOfTorn(contentLength: string): Promise<ArchivedRecord> {
  const answer = `HTTP/1.1 200 OK\nContent-Type: text/html${contentLength}\n\nhello`
  const record = `http://a.example/ 192.0.2.1 20140216050221 text/html ${answer.length + 12}\n${answer}`
  const item = await readRecordAt(sourceOf(Buffer.from(record)), 0, record.length)
  if (item === undefined) throw new Error('no record')
  return contentOf(item, { where: recordPlace({ filename: 'a.arc', offset: 0 }), close: async () => undefined })
}

async function bodyOf(contentLength: string): Promise<string> {
  const { body } = await contentOfTorn(contentLength)
  const parts: Uint8Array[] = []
  for await (const part of partsOf(body)) parts.push(part)
  return Buffer.concat(parts).toString()
}

test('accepts a record shorter than its length if its content is complete', async () => {
  expect(await bodyOf('\nContent-Length: 5')).toBe('hello')
  expect(await bodyOf('\nContent-Length: 4')).toBe('hello')
})

test('does not know the length of its body before it is read', async () => {
  expect((await contentOfTorn('\nContent-Length: 5')).bodyBytes).toBeUndefined()
})

test.each(['\nContent-Length: 6', '\nContent-Length: 0', '\nContent-Length: five', ''])(
  'rejects a short record if its completeness is uncertain: %j',
  async (contentLength) => {
    await expect(bodyOf(contentLength)).rejects.toThrow(Unreadable)
  },
)
