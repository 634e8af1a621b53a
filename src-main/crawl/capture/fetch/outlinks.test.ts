import { expect, test } from 'vitest'
import { parseResponseHead } from '../../../formats/http/http.ts'
import { mayFetch, parseRobots } from '../../../formats/links/robots.ts'
import { robotsText } from './outlinks.ts'

function answered(body: Uint8Array) {
  const bytes = Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n'), body])
  const head = parseResponseHead(bytes)?.head
  if (!head) throw new Error('the answer has a head')
  return { head, response: { head: () => Promise.resolve(bytes) } }
}

test.each([
  [
    'UTF-8',
    Buffer.from('User-agent: *\nDisallow: /école\n'),
    'http://a.example/%C3%A9cole',
    'http://a.example/%E9cole',
  ],
  [
    'Latin-1',
    Buffer.from('User-agent: *\nDisallow: /école\n', 'latin1'),
    'http://a.example/%E9cole',
    'http://a.example/',
  ],
  [
    'UTF-8 with a mark',
    Buffer.from('\ufeffUser-agent: *\nDisallow: /é\n'),
    'http://a.example/%C3%A9',
    'http://a.example/',
  ],
])('a robots.txt in %s forbids the bytes that it names', async (_charset, body, forbidden, allowed) => {
  const robots = parseRobots(await robotsText(answered(body)))
  expect(mayFetch(robots, 'loupe', forbidden).allowed).toBe(false)
  expect(mayFetch(robots, 'loupe', allowed).allowed).toBe(true)
})
