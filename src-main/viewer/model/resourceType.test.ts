/** The resource type of a request: from Sec-Fetch-Dest over https, and from other headers and the URL over http. */
import { expect, test } from 'vitest'
import { resourceTypeOf } from './resourceType.ts'

const any = { accept: '*/*' }
const rows: [string, Parameters<typeof resourceTypeOf>[0], string][] = [
  [
    'the type in Sec-Fetch-Dest',
    { url: 'https://a/x.js', method: 'GET', fields: { 'sec-fetch-dest': 'empty' } },
    'empty',
  ],
  [
    'a page',
    { url: 'http://a/x.js', method: 'GET', fields: { 'upgrade-insecure-requests': '1', accept: 'text/html,*/*' } },
    'document',
  ],
  ['an image by Accept', { url: 'http://a/x.php', method: 'GET', fields: { accept: 'image/webp,*/*' } }, 'image'],
  [
    'a style sheet by Accept',
    { url: 'http://a/x.php', method: 'GET', fields: { accept: 'text/css,*/*;q=0.1' } },
    'style',
  ],
  ['a script', { url: 'http://a/b/x.JS?v=1.css', method: 'GET', fields: any }, 'script'],
  ['a module', { url: 'http://a/x.mjs', method: 'GET', fields: {} }, 'script'],
  ['a font', { url: 'http://a/x.woff2', method: 'GET', fields: any }, 'font'],
  ['a video', { url: 'http://a/x.mp4', method: 'GET', fields: any }, 'video'],
  ['an audio file', { url: 'http://a/x.mp3', method: 'GET', fields: any }, 'audio'],
  ['a POST request', { url: 'http://a/x.js', method: 'POST', fields: any }, 'empty'],
  [
    'a request of a script library',
    { url: 'http://a/x.js', method: 'GET', fields: { ...any, 'x-requested-with': 'XMLHttpRequest' } },
    'empty',
  ],
  [
    'JSON',
    { url: 'http://a/x', method: 'GET', fields: { accept: 'application/json, text/javascript, */*; q=0.01' } },
    'empty',
  ],
  ['a file extension only in the query', { url: 'http://a/x?y.js', method: 'GET', fields: any }, ''],
  ['a file extension only in the host', { url: 'http://a.js/', method: 'GET', fields: any }, ''],
  ['a file extension without a known type', { url: 'http://a/x.php', method: 'GET', fields: any }, ''],
]

/** A request for a frame over https. */
const framed = (fields: Record<string, string>) => ({
  ...{ url: 'https://a/', method: 'GET' },
  fields: { 'sec-fetch-dest': 'iframe', ...fields },
})
rows.push(
  ['a page that the interface opens in its frame', framed({ 'sec-fetch-site': 'cross-site' }), 'document'],
  [
    'the target of a link that a user followed',
    framed({ 'sec-fetch-site': 'same-origin', 'sec-fetch-user': '?1', referer: 'https://a/before' }),
    'document',
  ],
  ['a frame of a page', framed({ 'sec-fetch-site': 'same-origin', referer: 'https://a/' }), 'iframe'],
  ['a frame of a page of another site', framed({ 'sec-fetch-site': 'cross-site', referer: 'https://b/' }), 'iframe'],
  ['a frame of a page that forbids the Referer', framed({ 'sec-fetch-site': 'same-origin' }), 'iframe'],
)

test.each(rows)('%s', (_, asked, type) => {
  expect(resourceTypeOf(asked)).toBe(type)
})
