import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { gzipMember, levelFor } from './gzip.ts'

test('round trip', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 3000 })), fc.constantFrom(0, 1, 6), (chunks, level) => {
      expect(gunzipSync(gzipMember(chunks, level)).equals(Buffer.concat(chunks))).toBe(true)
    }),
  )
})

test('content that is compressed already is stored', () => {
  const check = (mediaType: string, contentEncoding: string | undefined, level: number) =>
    expect(levelFor(mediaType, contentEncoding), mediaType).toBe(level)
  check('text/html; charset=utf-8', undefined, 6)
  check('text/html', '', 6)
  check('text/html', 'identity', 6)
  check('text/html', 'br', 1)
  check('image/jpeg', undefined, 1)
  check('IMAGE/PNG', undefined, 1)
  check('image/svg+xml', undefined, 6)
  check('image/bmp', undefined, 6)
  check('application/pdf', undefined, 1)
  check('application/json', undefined, 6)
  check('application/vnd.openxmlformats-officedocument.wordprocessingml.document', undefined, 1)
  check('', undefined, 6)
})
