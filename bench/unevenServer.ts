/** Serves a site whose answers take random times up to 50 ms, in a process of its own: `fork('unevenServer.ts', [pages, stuckMs])`; its parent
 *  receives the port as a message. Page n links the next ten that no page before it links. The first request of one of the first pages
 *  takes `stuckMs`. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const [pages = 1, stuckMs = 0] = process.argv.slice(2).map(Number)
const linksPerPage = 10
const stuckPage = 20
const delayMsMax = 50
const text = '<p>Some words that a page of the Web would have, so that it has the size of one.</p>'.repeat(200)

let isStuck = stuckMs > 0

const server = createServer((request, response) => {
  const number = Number(request.url?.slice(1) ?? 0)
  const links = Array.from({ length: linksPerPage }, (_, at) => number * linksPerPage + at + 1).filter(
    (to) => to <= pages,
  )
  const body = links.map((to) => `<a href="/${to}">${to}</a>`).join('\n')
  const delayMs = isStuck && number === stuckPage ? stuckMs : Math.random() * delayMsMax
  if (number === stuckPage) isStuck = false
  setTimeout(() => {
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(`<!doctype html><title>${number}</title>${body}${text}`)
  }, delayMs)
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
