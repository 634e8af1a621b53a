/** A site that can be changed between two visits: each page has a body and optionally an ETag or a Last-Modified date. */
import { createServer } from 'node:http'
import { listen, siteRequest, type NamedSite, type SiteRequest } from './server.ts'

export interface Page {
  body: string
  etag?: string
  lastModified?: string
}

export interface Changing extends NamedSite {
  /** The pages by path; any other path is a 404. */
  pages: Map<string, Page>
  /** The requests since the array was last emptied, each as `STATUS PATH`, followed by ` if` when it was conditional. */
  asked: string[]
}

/** Starts the site with these pages, by path. */
export async function startChanging(pages: Record<string, Page>): Promise<Changing> {
  const known = new Map(Object.entries(pages))
  const requests: SiteRequest[] = []
  const asked: string[] = []
  const server = await listen(
    createServer((request, response) => {
      requests.push(siteRequest('http', request))
      const page = known.get(request.url ?? '/')
      const condition = request.headers['if-none-match'] ?? request.headers['if-modified-since']
      const isSame = condition !== undefined && (condition === page?.etag || condition === page?.lastModified)
      const status = page === undefined ? 404 : isSame ? 304 : 200
      asked.push(`${status} ${request.url}${condition === undefined ? '' : ' if'}`)
      response.writeHead(status, {
        'Content-Type': 'text/html',
        ...(page?.etag === undefined ? {} : { ETag: page.etag }),
        ...(page?.lastModified === undefined ? {} : { 'Last-Modified': page.lastModified }),
      })
      response.end(status === 304 ? undefined : (page?.body ?? 'not here'))
    }),
  )
  return {
    origin: 'http://changing.test',
    requests,
    asked,
    pages: known,
    resolve: { 'changing.test': server.address },
    close: server.close,
  }
}

/** HTML with a link to each of the paths. */
export function linksTo(...paths: string[]): string {
  return paths.map((path) => `<a href="${path}">${path}</a>`).join('\n')
}
