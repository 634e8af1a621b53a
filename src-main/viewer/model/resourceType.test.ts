/** What a request is for, by what the browser says of it, and over http by what can be told. */
import { expect, test } from 'vitest'
import { resourceTypeOf } from './resourceType.ts'

const any = { accept: '*/*' }
const rows: [string, Parameters<typeof resourceTypeOf>[0], string][] = [
  ['as it is said', { url: 'https://a/x.js', method: 'GET', fields: { 'sec-fetch-dest': 'empty' } }, 'empty'],
  [
    'a page',
    { url: 'http://a/x.js', method: 'GET', fields: { 'upgrade-insecure-requests': '1', accept: 'text/html,*/*' } },
    'document',
  ],
  ['an image by Accept', { url: 'http://a/x.php', method: 'GET', fields: { accept: 'image/webp,*/*' } }, 'image'],
  ['a style by Accept', { url: 'http://a/x.php', method: 'GET', fields: { accept: 'text/css,*/*;q=0.1' } }, 'style'],
  ['a script', { url: 'http://a/b/x.JS?v=1.css', method: 'GET', fields: any }, 'script'],
  ['a module', { url: 'http://a/x.mjs', method: 'GET', fields: {} }, 'script'],
  ['a font', { url: 'http://a/x.woff2', method: 'GET', fields: any }, 'font'],
  ['a film', { url: 'http://a/x.mp4', method: 'GET', fields: any }, 'video'],
  ['a sound', { url: 'http://a/x.mp3', method: 'GET', fields: any }, 'audio'],
  ['what was sent', { url: 'http://a/x.js', method: 'POST', fields: any }, 'empty'],
  [
    'what a library asked for',
    { url: 'http://a/x.js', method: 'GET', fields: { ...any, 'x-requested-with': 'XMLHttpRequest' } },
    'empty',
  ],
  [
    'JSON',
    { url: 'http://a/x', method: 'GET', fields: { accept: 'application/json, text/javascript, */*; q=0.01' } },
    'empty',
  ],
  ['an ending in the query alone', { url: 'http://a/x?y.js', method: 'GET', fields: any }, ''],
  ['an ending of the host alone', { url: 'http://a.js/', method: 'GET', fields: any }, ''],
  ['an ending that says nothing', { url: 'http://a/x.php', method: 'GET', fields: any }, ''],
]

/** Over https, to fill a frame. */
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
