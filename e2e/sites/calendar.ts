/** A site with a crawler trap: its front page links to articles and to the days of a calendar, each of which links to a further day.
 *  Its pictures are on another domain. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { listen, siteRequest, type NamedSite, type SiteRequest } from './server.ts'

export const articlesCount = 60
const picturesCount = 40

export interface Calendar extends NamedSite {
  requests: SiteRequest[]
  /** Holds back the answers for pictures until the returned function is called. */
  holdPictures(): () => void
}

/** Starts the site on a free port. */
export async function startCalendar(): Promise<Calendar> {
  const requests: SiteRequest[] = []
  let pictures = Promise.resolve()
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    requests.push(siteRequest('http', request))
    if (request.url?.startsWith('/picture/')) await pictures
    const { status, body } = answer(request.url ?? '/')
    response.writeHead(status, {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Length': Buffer.byteLength(body),
    })
    response.end(body)
  }
  const server = await listen(createServer((request, response) => void respond(request, response)))
  return {
    origin: 'http://www.calendar.test',
    requests,
    holdPictures() {
      const { promise, resolve } = Promise.withResolvers<void>()
      pictures = promise
      return resolve
    },
    resolve: {
      'www.calendar.test': server.address,
      'img.pictures.test': server.address,
      'cdn.pictures.test': server.address,
    },
    close: server.close,
  }
}

function answer(path: string): { status: number; body: string } {
  const [, kind, number] = /^\/(article|day|picture)\/(\d+)$/.exec(path) ?? []
  if (path === '/') return { status: 200, body: frontPage() }
  if (kind === 'day') return { status: 200, body: `<a href="/day/${Number(number) + 1000}">next</a>` }
  if (kind !== undefined) return { status: 200, body: `<p>${kind} ${number}</p>` }
  return { status: 404, body: 'not here' }
}

function frontPage(): string {
  const link = (text: string) => `<a href="${text}">${text}</a>`
  const picture = (number: number) =>
    `<img src="http://${number % 2 === 0 ? 'img' : 'cdn'}.pictures.test/picture/${number}">`
  return [
    ...Array.from({ length: articlesCount }, (_, number) => `${link(`/day/${number}`)} ${link(`/article/${number}`)}`),
    ...Array.from({ length: picturesCount }, (_, number) => picture(number)),
  ].join('\n')
}
