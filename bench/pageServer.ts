/** Serves generated pages under any host name, in a process of its own: `fork('pageServer.ts', [known, hosts])`; its parent receives
 *  the port as a message. Each page has some text and 40 links, most of them to one of the `known` pages. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pageUrl } from './filledQueue.ts'

const [known = 1, hosts = 1] = process.argv.slice(2).map(Number)
const text = '<p>Some words that a page of the Web would have, so that it has the size of one.</p>'.repeat(200)
let asked = 0

const server = createServer((_, response) => {
  asked += 1
  const numbers = Array.from({ length: 40 }, (_unused, at) =>
    at < 36 ? Math.ceil(Math.random() * known) : known + asked * 4 + at,
  )
  const links = numbers.map((number) => `<a href="${pageUrl(number, hosts)}">${number}</a>`).join('\n')
  response.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html><title>${asked}</title>${links}${text}`)
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
