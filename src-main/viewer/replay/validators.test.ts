import { expect, it } from 'vitest'
import { conditionStatus, ifRangeAgrees, isStillThat, isUnchanged, ownETag } from './validators.ts'

const capture = { filename: '1-1.warc.gz', offset: 42, timestampMs: 7 }
const own = ownETag(capture, false)
const kept = { own, etag: '"v1"', lastModified: 'Sat, 01 Feb 2025 10:00:00 GMT' }

it('an ETag identifies the capture and its coding, in characters that RFC 9110 allows', () => {
  const others = [
    ownETag(capture, true),
    ownETag({ ...capture, offset: 43 }, false),
    ownETag({ ...capture, filename: 'a "b"\xe9\n.warc' }, false),
    ownETag({ ...capture, timestampMs: 8 }, false),
  ]
  expect(new Set([own, ...others]).size).toBe(5)
  // The characters of an entity tag in RFC 9110 8.8.3.
  for (const tag of [own, ...others]) expect(tag).toMatch(/^"[\x21\x23-\x7e]*"$/)
})

const check = (fields: Record<string, string>, expected: boolean) =>
  it(`${JSON.stringify(fields)} ${expected ? 'matches' : 'does not match'}`, () =>
    expect(isUnchanged(fields, kept)).toBe(expected))

check({}, false)
check({ 'if-none-match': own }, true)
check({ 'if-none-match': `"other", W/${own}` }, true)
check({ 'if-none-match': '"v1"' }, true)
check({ 'if-none-match': 'W/"v1"' }, true)
check({ 'if-none-match': '*' }, true)
check({ 'if-none-match': '"v2"' }, false)
check({ 'if-none-match': 'v1' }, false)
check({ 'if-none-match': '' }, false)
check({ 'if-modified-since': 'Sat, 01 Feb 2025 10:00:00 GMT' }, true)
check({ 'if-modified-since': 'Sun, 02 Feb 2025 10:00:00 GMT' }, false)
check({ 'if-modified-since': 'Fri, 31 Jan 2025 10:00:00 GMT' }, false)
check({ 'if-none-match': '"v2"', 'if-modified-since': 'Sat, 01 Feb 2025 10:00:00 GMT' }, false)

const checkStill = (fields: Record<string, string>, expected: boolean) =>
  it(`${JSON.stringify(fields)} ${expected ? 'is unchanged' : 'is changed'}`, () =>
    expect(isStillThat(fields, kept)).toBe(expected))

checkStill({}, true)
checkStill({ 'if-match': own }, true)
checkStill({ 'if-match': `"other", ${own}` }, true)
checkStill({ 'if-match': '"v1"' }, true)
checkStill({ 'if-match': '*' }, true)
checkStill({ 'if-match': `W/${own}` }, false)
checkStill({ 'if-match': 'W/"v1"' }, false)
checkStill({ 'if-match': '"v2"' }, false)
checkStill({ 'if-match': 'v1' }, false)
checkStill({ 'if-match': '' }, false)
checkStill({ 'if-unmodified-since': 'Sat, 01 Feb 2025 10:00:00 GMT' }, true)
checkStill({ 'if-unmodified-since': 'Saturday, 01-Feb-25 10:00:00 GMT' }, true)
checkStill({ 'if-unmodified-since': 'Sun, 02 Feb 2025 10:00:00 GMT' }, true)
checkStill({ 'if-unmodified-since': 'Sat, 01 Feb 2025 09:59:59 GMT' }, false)
checkStill({ 'if-unmodified-since': 'last week' }, true)
checkStill({ 'if-match': '"v1"', 'if-unmodified-since': 'Fri, 31 Jan 2025 10:00:00 GMT' }, true)
checkStill({ 'if-match': '"v2"', 'if-unmodified-since': 'Sun, 02 Feb 2025 10:00:00 GMT' }, false)

it('a weak archived ETag never matches strongly', () => {
  expect(isStillThat({ 'if-match': 'W/"v1"' }, { ...kept, etag: 'W/"v1"' })).toBe(false)
})

const checkStatus = (fields: Record<string, string>, expected: 304 | 412 | undefined) =>
  it(`${JSON.stringify(fields)}: ${expected ?? 'no effect'}`, () =>
    expect(conditionStatus(fields, kept)).toBe(expected))

checkStatus({}, undefined)
checkStatus({ 'if-match': '"v2"', 'if-none-match': own }, 412)
checkStatus({ 'if-match': own, 'if-none-match': own }, 304)
checkStatus({ 'if-match': own, 'if-none-match': '"v2"' }, undefined)
checkStatus({ 'if-unmodified-since': 'Fri, 31 Jan 2025 10:00:00 GMT', 'if-none-match': own }, 412)

it('without archived validators only the ETag of the viewer matches', () => {
  const bare = { own, etag: undefined, lastModified: undefined }
  expect(isUnchanged({ 'if-modified-since': 'undefined' }, bare)).toBe(false)
  expect(isUnchanged({ 'if-none-match': '"undefined"' }, bare)).toBe(false)
  expect(isUnchanged({ 'if-none-match': own }, bare)).toBe(true)
  expect(isStillThat({ 'if-match': '"undefined"' }, bare)).toBe(false)
  expect(isStillThat({ 'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' }, bare)).toBe(true)
})

const checkIfRange = (field: string | undefined, expected: boolean) =>
  it(`If-Range ${field} ${expected ? 'matches' : 'does not match'}`, () =>
    expect(ifRangeAgrees(field, kept)).toBe(expected))

checkIfRange(undefined, true)
checkIfRange(own, true)
checkIfRange(`W/${own}`, false)
checkIfRange('"v1"', true)
checkIfRange('"v2"', false)
checkIfRange('W/"v1"', false)
checkIfRange('Sat, 01 Feb 2025 10:00:00 GMT', true)
checkIfRange('Sat, 01 Feb 2025 10:00:01 GMT', false)
checkIfRange('', false)
