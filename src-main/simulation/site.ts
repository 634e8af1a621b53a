/** Generates a small Web: hosts with robots.txt, rules and pages, each page with its fault. A response depends only on the URL and on how
 *  often it was requested, so a disturbed harvest must find what an undisturbed one found. For the same reason everything on a host can be
 *  reached from its first page through pages that always answer, and failing pages have no links: no page depends on which link was
 *  followed first. `siteServer.ts` serves it. */
import type { SeededChance } from '../world/testing/seededChance.ts'
import { drawMembers, logoutPath, membersFolder, type Members } from './members.ts'
import { pick } from './pick.ts'

/** A page or another file of a host. */
export interface Page {
  mediaType: string
  body: string
  /** A redirect if `location` is set. */
  status: number
  location?: string
  fault: PageFault
}

/** What the server does wrong when the page is requested. */
export type PageFault =
  | { kind: 'none' }
  /** 503 with Retry-After, for this many requests. */
  | { kind: 'busy'; times: number }
  /** The connection closes without a byte, for this many requests. */
  | { kind: 'hangsUp'; times: number }
  /** The connection closes in the middle of the body. */
  | { kind: 'torn' }
  /** Half of the body, then silence. */
  | { kind: 'stalls' }
  | { kind: 'slow'; delayMs: number }
  | { kind: 'garbage' }
  /** Content-Length is larger or smaller than the body. */
  | { kind: 'liesOfLength'; byBytes: number }

/** A host of the site; `trouble` concerns every connection to it. */
export interface Host {
  origin: string
  name: string
  port: number
  tls: boolean
  trouble: 'none' | 'refuse' | 'unreachable' | 'noConnection' | 'noAnswer' | 'reset'
  /** Responses are chunked, end with the connection, or have a length. */
  framing: 'length' | 'chunked' | 'close'
  /** Connections are closed after this many responses, without notice. */
  answersPerConnection: number
  /** Path and query → page, including robots.txt. */
  pages: Map<string, Page>
  /** The rules in force when robots.txt can be had; undefined when it gives none. */
  robotsText: string | undefined
  /** robots.txt cannot be fetched, so nothing else may be requested. */
  isClosed: boolean
  /** Some pages need a login. */
  members?: Members
}

/** A generated Web, and the harvest of it: its seeds and their scope. */
export interface Site {
  hosts: Host[]
  seeds: string[]
  scope: 'host' | 'domain' | 'any' | 'prefix'
}

/** A number of times that is never reached. */
const always = Number.MAX_SAFE_INTEGER

/** `pagesCount`: approximate total of pages; absent: a dozen per host. */
export function drawSite(chance: SeededChance, { pagesCount }: { pagesCount?: number } = {}): Site {
  const hosts = Array.from({ length: 2 + chance.below(4) }, (_, index) => drawHost(chance, index))
  for (const host of hosts) {
    const pages = pagesCount === undefined ? 4 + chance.below(9) : Math.ceil(pagesCount / hosts.length)
    drawPages(chance, host, pages)
    drawLoop(chance, host)
  }
  // The first host always answers, so a refusal there can only be for lack of a login.
  if (chance.happens(250)) for (const host of hosts.slice(0, 1)) drawMembersOf(chance, host)
  for (const host of hosts) drawLinks(chance, host, hosts)
  const seeds = hosts.slice(0, 1 + chance.below(2)).map(({ origin }) => `${origin}/`)
  if (chance.happens(300)) seeds.push(...redirectingSeed(chance, hosts))
  return { hosts, seeds, scope: pick(chance, ['host', 'host', 'domain', 'any', 'prefix']) }
}

/** The first host works, so that no harvest is empty. */
function drawHost(chance: SeededChance, index: number): Host {
  const tls = chance.happens(250)
  const port = tls ? 443 : chance.happens(150) ? 8080 : 80
  const name = `${['www', 'img', 'news', 'cdn', 'old'][index] ?? 'host'}.${index % 2 === 0 ? 'museum' : 'library'}.test`
  const usual = port === 80 || port === 443
  return {
    origin: `${tls ? 'https' : 'http'}://${name}${usual ? '' : `:${port}`}`,
    name,
    port,
    tls,
    trouble:
      index === 0 || chance.happens(750)
        ? 'none'
        : pick(chance, ['refuse', 'unreachable', 'noConnection', 'noAnswer', 'reset']),
    framing: pick(chance, ['length', 'length', 'chunked', 'close']),
    answersPerConnection: chance.happens(300) ? 1 + chance.below(3) : always,
    pages: new Map(),
    robotsText: undefined,
    isClosed: false,
  }
}

/** Adds pages without content, some pictures and a style sheet. Links are added when all hosts are complete. */
function drawPages(chance: SeededChance, host: Host, pages: number): void {
  drawRobots(chance, host)
  const paths = ['/', ...Array.from({ length: pages }, (_, index) => pathOf(chance, index))]
  for (const path of paths)
    host.pages.set(path, { ...html(''), fault: path === '/' ? { kind: 'none' } : drawFault(chance) })
  for (let picture = 0; picture < 1 + chance.below(3); picture += 1) {
    const fault = chance.happens(800) ? ({ kind: 'none' } as const) : drawFault(chance)
    // Few pictures, so that some are the same: duplicates of one payload.
    host.pages.set(`/picture${picture}.png`, { ...found('image/png', `picture ${chance.below(2)} `.repeat(40)), fault })
  }
  host.pages.set('/style.css', found('text/css', `body { background: url(/picture0.png) } /* ${chance.uuid()} */`))
}

/** Adds pages that need a login. */
function drawMembersOf(chance: SeededChance, host: Host): void {
  host.members = drawMembers(chance)
  for (let index = 0; index < 4 + chance.below(12); index += 1)
    host.pages.set(`${membersFolder}page${index}.html`, html(''))
  host.pages.set(logoutPath, html(''))
}

/** Redirect loops. */
function drawLoop(chance: SeededChance, host: Host): void {
  if (!chance.happens(300)) return
  const paths = Array.from({ length: 1 + chance.below(3) }, (_, index) => `/loop${index}`)
  for (const [index, path] of paths.entries()) host.pages.set(path, redirect(paths[(index + 1) % paths.length] ?? path))
}

function pathOf(chance: SeededChance, index: number): string {
  if (chance.happens(120)) return `/private/page${index}.html`
  return pick(chance, [`/page${index}.html`, `/folder/page${index}`, `/page?id=${index}`])
}

function drawFault(chance: SeededChance): PageFault {
  if (chance.happens(550)) return { kind: 'none' }
  return pick<PageFault>(chance, [
    { kind: 'busy', times: 1 + chance.below(2) },
    { kind: 'busy', times: always },
    { kind: 'hangsUp', times: 1 + chance.below(2) },
    { kind: 'hangsUp', times: always },
    { kind: 'torn' },
    { kind: 'stalls' },
    { kind: 'slow', delayMs: 100 + chance.below(1_500) },
    { kind: 'garbage' },
    { kind: 'liesOfLength', byBytes: pick(chance, [-5, -1, 1, 1_000]) },
  ])
}

/** RFC 9309 section 2.3.1, case by case. */
function drawRobots(chance: SeededChance, host: Host): void {
  const rules = [
    'User-agent: *',
    'Disallow: /private/',
    ...(chance.happens(200) ? ['Crawl-delay: 2'] : []),
    ...(chance.happens(300) ? ['User-agent: Loupe', 'Disallow: /private/', 'Disallow: /*?id=3'] : []),
    ...(chance.happens(300) ? [`Sitemap: ${host.origin}/sitemap.xml`] : []),
  ].join('\n')
  const kind = pick(chance, ['rules', 'rules', 'rules', 'absent', 'busy', 'redirect', 'error', 'hangsUp'])
  const text = found('text/plain', rules)
  if (kind === 'absent' || (host.name.startsWith('www') && (kind === 'error' || kind === 'hangsUp'))) return
  host.isClosed = kind === 'error' || kind === 'hangsUp'
  host.robotsText = host.isClosed ? undefined : rules
  if (kind === 'rules') host.pages.set('/robots.txt', text)
  if (kind === 'busy') host.pages.set('/robots.txt', { ...text, fault: { kind: 'busy', times: 1 } })
  if (kind === 'error') host.pages.set('/robots.txt', { ...text, status: 500 })
  if (kind === 'hangsUp') host.pages.set('/robots.txt', { ...text, fault: { kind: 'hangsUp', times: always } })
  if (kind === 'redirect') {
    host.pages.set('/robots.txt', { ...text, status: 302, location: '/rules.txt' })
    host.pages.set('/rules.txt', text)
  }
}

function drawLinks(chance: SeededChance, host: Host, hosts: Host[]): void {
  const leading = ['/']
  const links = new Map<string, string[]>([['/', []]])
  for (const [path, page] of host.pages) {
    if (path === '/' || page.mediaType !== 'text/html') continue
    links.get(pick(chance, leading))?.push(`<a href="${path}">${path}</a>`)
    links.set(path, [])
    if (leadsOn(path, page)) leading.push(path)
  }
  for (const path of leading) links.get(path)?.push(...drawOthers(chance, host, hosts))
  for (const [path, parts] of links) {
    const page = host.pages.get(path)
    if (!page) continue
    const isRedirect = path !== '/' && !leading.includes(path) && page.fault.kind === 'none'
    host.pages.set(
      path,
      isRedirect && chance.happens(300)
        ? redirect('/')
        : { ...page, ...html(`${host.origin}${path} ${parts.join('\n')}`), fault: page.fault },
    )
  }
  // Lists only URLs that links lead to as well: the order of discovery must not matter.
  const listed = leading.map((path) => `<url><loc>${host.origin}${path}</loc></url>`).join('')
  if (host.robotsText?.includes('Sitemap:')) {
    const body = `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${listed}</urlset>`
    host.pages.set('/sitemap.xml', found('application/xml', body))
  }
}

/** Only pages that always answer and are allowed by robots.txt have links that may be nowhere else. */
function leadsOn(path: string, { fault }: Page): boolean {
  const answers = fault.kind === 'none' || fault.kind === 'slow'
  return answers && !path.startsWith('/private/') && !path.includes('?id=3') && path !== logoutPath
}

/** Images, style sheets and pages of any host, and URLs that do not exist. */
function drawOthers(chance: SeededChance, host: Host, hosts: Host[]): string[] {
  return Array.from({ length: chance.below(5) }, () => {
    const other = pick(chance, hosts)
    // Only URLs that their own host links to as well: whether another host is in scope yet depends on the order.
    const paths = [...other.pages.keys()].filter(
      (path) => other === host || other.pages.get(path)?.mediaType === 'text/html',
    )
    return pick(chance, [
      `<img src="${other.origin}/picture${chance.below(3)}.png">`,
      `<link rel="stylesheet" href="${other.origin}/style.css">`,
      `<a href="${other.origin}${pick(chance, paths)}">there</a>`,
      `<a href="${host.origin}/absent${chance.below(3)}">nowhere</a>`,
      `<a href="${host.origin}/loop0">round and round</a>`,
      `<img src="http://unknown.test/picture.png">`,
      `<a href="mailto:a@museum.test">write</a>`,
      `<a href="${other.origin}/robots.txt">rules</a>`,
    ])
  })
}

/** A seed that redirects to another host adds that host to the scope. */
function redirectingSeed(chance: SeededChance, hosts: Host[]): string[] {
  const [from, to] = [pick(chance, hosts), pick(chance, hosts)]
  from.pages.set('/moved', redirect(`${to.origin}/`))
  return [`${from.origin}/moved`]
}

function found(mediaType: string, body: string): Page {
  return { mediaType, body, status: 200, fault: { kind: 'none' } }
}

function html(body: string): Page {
  return found('text/html', `<!doctype html><title>a page</title><body>${body}</body>`)
}

function redirect(location: string): Page {
  return { ...found('text/html', 'moved'), status: 301, location }
}
