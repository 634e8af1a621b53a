/** The scope of a harvest: decides whether a URL is fetched as a page, as a page requisite, or not at all. Pure: no clock, no
 *  queue, no robots.txt. Size limits apply when the document is fetched, and hop limits apply to the shortest path
 *  (`settle/hops/range.ts`). */
import type { HarvestDefinition } from '../../contract/contract.ts'
import type { Reason } from '../../contract/states/outcomes.ts'
import { registeredDomain } from '../../formats/links/registeredDomain.ts'
import { patternsOf, type Patterns } from './patterns.ts'

export interface Scope {
  readonly kind: HarvestDefinition['scope']
  /** Where the seeds stand, as the kind sees them: host and folder, host name, or registered domain. */
  readonly places: ReadonlySet<string>
  /** The longest of `places`, so that a long path is not compared with what cannot be there. */
  readonly placeCharactersMax: number
  readonly include: Patterns
  readonly exclude: Patterns
}

export type Role = 'page' | 'requisite' | 'sitemap'

export interface Found {
  url: string
  kind: 'navigation' | 'embed' | 'redirect' | 'sitemap'
  parent: {
    role: Role
    /** Navigation and sitemap hops from a seed. */
    hops: number
    /** 0 for a page, 1 for what it loads, 2 for what that loads. */
    requisiteDepth: number
  }
}

export type Verdict =
  | { verdict: Role; hops: number; requisiteDepth: number }
  | { verdict: 'excluded'; reason: Reason; detail: string }

/** A page's frame loads a style sheet that imports one that loads a font: 4. More is a trap that builds itself. */
const requisiteDepthMax = 5

export function scopeOf(definition: HarvestDefinition): Scope {
  return {
    ...placed(definition.scope, definition.seeds.map(seedAddress)),
    include: patternsOf(definition.include),
    exclude: patternsOf(definition.exclude),
  }
}

/** Parses a seed as a user types it; without a scheme it is http. Undefined for anything that cannot be fetched. */
export function seedAddress(seed: string): URL | undefined {
  const text = seed.trim()
  // `localhost:8080/` is not a URL with the scheme `localhost`.
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text)
  return webAddress(hasScheme ? text : `http://${text}`)
}

/** The scope with one more seed: where a seed redirected to. `http://example.org` that answers with a redirect to
 *  `https://www.example.org/` would otherwise give a harvest of one page; Heritrix adds such a target to the seeds too. */
export function withRedirectedSeed(scope: Scope, url: string): Scope {
  const added = placed(scope.kind, [webAddress(url)])
  return {
    ...scope,
    places: new Set([...scope.places, ...added.places]),
    placeCharactersMax: Math.max(scope.placeCharactersMax, added.placeCharactersMax),
  }
}

/** Whether this redirect is one of a seed, so that the scope is to be extended by its target. */
export function isSeedRedirect({ kind, parent }: Found): boolean {
  return kind === 'redirect' && parent.role === 'page' && parent.hops === 0
}

export function judge(scope: Scope, found: Found): Verdict {
  const url = webAddress(found.url)
  if (!url) return excluded('badAddress', found.url)
  const exclude = scope.exclude.matchedBy(url.href)
  if (exclude !== undefined) return excluded('excludedByPattern', exclude)
  const { kind, parent } = found
  const isPart = kind === 'embed' || (kind === 'redirect' && parent.role === 'requisite')
  if (isPart) return judgePart(found)
  const isList = kind === 'sitemap' || (kind === 'redirect' && parent.role === 'sitemap')
  return isList ? judgeList(scope, found, url) : judgePage(scope, found, url)
}

/** A part is fetched from any host, as a browser does: a page without its pictures is not kept. */
function judgePart({ kind, parent }: Found): Verdict {
  const requisiteDepth = parent.requisiteDepth + (kind === 'embed' ? 1 : 0)
  if (requisiteDepth > requisiteDepthMax) {
    return excluded('outOfScope', `loaded by parts of parts, more than ${requisiteDepthMax} deep`)
  }
  return { verdict: 'requisite', hops: parent.hops, requisiteDepth }
}

/** Links count from wherever they are found, also from parts (a frame, say), when they lead to something in scope. */
function judgePage(scope: Scope, found: Found, url: URL): Verdict {
  const fromSeed = isSeedRedirect(found)
  if (!fromSeed && !contains(scope, url)) return excluded('outOfScope', `outside ${scopeText[scope.kind]}`)
  if (!fromSeed && !isIncluded(scope, url.href)) {
    return excluded('notIncluded', scope.include.written.join(' | '))
  }
  return wanted(found, 'page')
}

/** Whether one of these names of a page matches an include pattern, where there are any. */
export function isIncluded({ include }: Scope, ...names: readonly string[]): boolean {
  return include.written.length === 0 || include.matchedBy(...names) !== undefined
}

/** Lists are tools of finding: include patterns are for the pages in them. With scope `page` nothing is to be found; with
 *  `prefix` the list stands above the folder, at the top of the host. */
function judgeList(scope: Scope, found: Found, url: URL): Verdict {
  const near = scope.kind === 'prefix' ? hasHostOf(scope, url) : contains(scope, url)
  return near ? wanted(found, 'sitemap') : excluded('outOfScope', `outside ${scopeText[scope.kind]}`)
}

function wanted({ kind, parent }: Found, role: Role): Verdict {
  return { verdict: role, hops: parent.hops + (kind === 'redirect' ? 0 : 1), requisiteDepth: 0 }
}

const scopeText: Record<Scope['kind'], string> = {
  page: 'the seeds themselves',
  prefix: 'the folders of the seeds',
  host: 'the hosts of the seeds',
  domain: 'the registered domains of the seeds',
  any: 'the Web',
}

function contains(scope: Scope, url: URL): boolean {
  switch (scope.kind) {
    case 'page':
      // Only the seeds, and those are in already.
      return false
    case 'prefix':
      return inFolder(scope, url)
    case 'host':
      return scope.places.has(url.hostname)
    case 'domain':
      return scope.places.has(registeredDomain(url.hostname))
    case 'any':
      return true
  }
}

/** Whether one of the folders on the way to the file is that of a seed. */
function inFolder({ places, placeCharactersMax }: Scope, url: URL): boolean {
  const address = url.host + url.pathname
  for (
    let slash = address.indexOf('/');
    slash >= 0 && slash < placeCharactersMax;
    slash = address.indexOf('/', slash + 1)
  ) {
    if (places.has(address.slice(0, slash + 1))) return true
  }
  return false
}

function hasHostOf({ places }: Scope, url: URL): boolean {
  for (const place of places) if (place.startsWith(`${url.host}/`)) return true
  return false
}

function placed(
  kind: Scope['kind'],
  seeds: (URL | undefined)[],
): Pick<Scope, 'kind' | 'places' | 'placeCharactersMax'> {
  const places = new Set(seeds.filter((seed) => seed !== undefined).map((seed) => placeOf(kind, seed)))
  return { kind, places, placeCharactersMax: Math.max(0, ...[...places].map((place) => place.length)) }
}

/** http and https are one place: sites answer on both. `www.` is kept: it can be a different site. For a host the port does not
 *  matter, since a service on another port belongs to it; for a folder it does, since a port names one server. */
function placeOf(kind: Scope['kind'], seed: URL): string {
  if (kind === 'prefix') return seed.host + seed.pathname.slice(0, seed.pathname.lastIndexOf('/') + 1)
  return kind === 'domain' ? registeredDomain(seed.hostname) : seed.hostname
}

function webAddress(text: string): URL | undefined {
  const url = URL.parse(text)
  return url && (url.protocol === 'http:' || url.protocol === 'https:') && url.hostname !== '' ? url : undefined
}

function excluded(reason: Reason, detail: string): Verdict {
  return { verdict: 'excluded', reason, detail }
}
