import { expect, test } from 'vitest'
import { browserShows } from './browserShows.ts'

test.each<[string | null, boolean]>([
  ['text/html', true],
  ['Text/HTML; charset=utf-8', true],
  ['text/plain', true],
  ['image/svg+xml', true],
  ['video/mp4', true],
  ['application/json', true],
  ['text/csv', false],
  ['image/tiff', false],
  ['application/pdf', false],
  ['application/octet-stream', false],
  ['', false],
  [null, false],
])('%s: %s', (mediaType, expected) => expect(browserShows(mediaType)).toBe(expected))
