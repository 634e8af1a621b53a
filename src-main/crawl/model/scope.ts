/** The scope of a harvest: decides whether a URL is fetched as a page, as a page requisite, or not at all. Pure: no clock, no
 *  queue, no robots.txt. Size limits apply when the document is fetched, and hop limits apply to the shortest path
 *  (`settle/hops/range.ts`). */
import { message } from '../../contract/words/message.ts'
import type { Detail } from './detail.ts'
import type { HarvestDefinition } from '../../contract/services/definition.ts'
import type { Reason } from '../../contract/states/outcomes.ts'
import { registeredDomain } from '../../formats/links/registeredDomain.ts'
import { domainPatternsOf, patternsOf, type DomainPatterns, type Patterns } from './patterns.ts'

/** A scope, prepared for judging. It grows when a seed is redirected. */
export interface Scope {
  readonly kind: HarvestDefinition['scope']
  readonly places: Places
  readonly include: Patterns
  readonly exclude: Patterns
  /** Patterns that apply only to URLs of one registered domain. */
  readonly domains: DomainPatterns
}

/** The places of the seeds, as the kind of scope compares them: host and folder, host name, or registered domain. */
interface Places {
  readonly all: Set<string>
  /** Hosts of the folders; empty for other kinds. */
  readonly hosts: Set<string>
  /** Length of the longest place; a longer prefix of a path cannot match. */
  charactersMax: number
}

/** Role in which a URL in scope is fetched. */
export type Role = 'page' | 'requisite' | 'sitemap'

/** A URL that was found, and the document it was found in. */
export interface Found {
  url: string
  kind: 'navigation' | 'embed' | 'redirect' | 'sitemap'
  parent: {
    role: Role
    /** Navigation and sitemap hops from a seed. */
    hops: number
    /** 0 for a page, 1 for a requisite of the page, 2 for a requisite of that. */
    requisiteDepth: number
  }
}

/** The decision about a URL. */
export type Verdict =
  | { verdict: Role; hops: number; requisiteDepth: number }
  | { verdict: 'excluded'; reason: Reason; detail: Detail }

/** Deepest chain of requisites. A page's frame loads a style sheet that imports one that loads a font: 4. A deeper chain is a
 *  trap that generates itself. */
const requisiteDepthMax = 5

/** Prepares the scope of a definition. */
export function scopeOf(definition: HarvestDefinition): Scope {
  const scope: Scope = {
    kind: definition.scope,
    places: { all: new Set(), hosts: new Set(), charactersMax: 0 },
    include: patternsOf(definition.include),
    exclude: patternsOf(definition.exclude),
    domains: domainPatternsOf(definition.domains),
  }
  for (const seed of definition.seeds) addPlace(scope, seedAddress(seed))
  return scope
}

/** Parses a seed as a user types it; without a scheme it is http. Undefined for anything that cannot be fetched. */
export function seedAddress(seed: string): URL | undefined {
  const text = seed.trim()
  // `localhost:8080/` is not a URL with the scheme `localhost`.
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text)
  return webAddress(hasScheme ? text : `http://${text}`)
}

/** Adds the target of a seed's redirect to the seeds of the scope. `http://example.org` that answers with a redirect to
 *  `https://www.example.org/` would otherwise give a harvest of one page; Heritrix adds such a target to the seeds too. */
export function addRedirectedSeed(scope: Scope, url: string): void {
  addPlace(scope, webAddress(url))
}

/** Number of places in the scope. */
export function placesIn({ places }: Scope): number {
  return places.all.size
}

/** Tells whether this is a redirect of a seed, whose target extends the scope. */
export function isSeedRedirect({ kind, parent }: Found): boolean {
  return kind === 'redirect' && parent.role === 'page' && parent.hops === 0
}

/** Decides whether and as what a URL is fetched. */
export function judge(scope: Scope, found: Found): Verdict {
  const url = webAddress(found.url)
  if (!url) return excluded('badAddress', found.url)
  const pattern = excludingPattern(scope, url.href)
  if (pattern !== undefined) return excluded('excludedByPattern', pattern)
  const { kind, parent } = found
  const isPart = kind === 'embed' || (kind === 'redirect' && parent.role === 'requisite')
  if (isPart) return judgePart(found)
  const isList = kind === 'sitemap' || (kind === 'redirect' && parent.role === 'sitemap')
  return isList ? judgeList(scope, found, url) : judgePage(scope, found, url)
}

/** Returns the pattern that excludes a URL of the Web, as a detail for users; undefined if none does. */
export function excludingPattern(scope: Scope, url: string): Detail | undefined {
  const pattern = scope.exclude.matchedBy(url)
  if (pattern !== undefined || scope.domains.isEmpty) return pattern
  const domain = registeredDomain(URL.parse(url)?.hostname ?? '')
  const trap = scope.domains.of(domain)?.matchedBy(url)
  return trap === undefined ? undefined : message('scope.trap', { pattern: trap, domain })
}

/** Judges a page requisite. It is fetched from any host, as a browser does: a page without its images is not preserved. */
function judgePart({ kind, parent }: Found): Verdict {
  const requisiteDepth = parent.requisiteDepth + (kind === 'embed' ? 1 : 0)
  if (requisiteDepth > requisiteDepthMax) {
    return excluded('outOfScope', message('scope.requisiteDepth', { most: requisiteDepthMax }))
  }
  return { verdict: 'requisite', hops: parent.hops, requisiteDepth }
}

/** Judges a link. Links count wherever they are found, also in requisites (a frame, say), if their target is in scope. */
function judgePage(scope: Scope, found: Found, url: URL): Verdict {
  const fromSeed = isSeedRedirect(found)
  if (!fromSeed && !contains(scope, url)) return excluded('outOfScope', message(`scope.outside.${scope.kind}`))
  if (!fromSeed && !isIncluded(scope, url.href)) {
    return excluded('notIncluded', scope.include.written.join(' | '))
  }
  return wanted(found, 'page')
}

/** Tells whether one of these names of a page matches an include pattern; true if there are none. */
export function isIncluded({ include }: Scope, ...names: readonly string[]): boolean {
  return include.written.length === 0 || include.matchedBy(...names) !== undefined
}

/** Judges a sitemap or feed. Include patterns apply only to the pages listed in it. With scope `page` nothing is to be found;
 *  with `prefix` the list may be outside the folder, at the top of the host. */
function judgeList(scope: Scope, found: Found, url: URL): Verdict {
  const near = scope.kind === 'prefix' ? scope.places.hosts.has(url.host) : contains(scope, url)
  return near ? wanted(found, 'sitemap') : excluded('outOfScope', message(`scope.outside.${scope.kind}`))
}

function wanted({ kind, parent }: Found, role: Role): Verdict {
  return { verdict: role, hops: parent.hops + (kind === 'redirect' ? 0 : 1), requisiteDepth: 0 }
}

function contains(scope: Scope, url: URL): boolean {
  switch (scope.kind) {
    case 'page':
      // Only the seeds are in this scope, and they are queued already.
      return false
    case 'prefix':
      return inFolder(scope, url)
    case 'host':
      return scope.places.all.has(url.hostname)
    case 'domain':
      return scope.places.all.has(registeredDomain(url.hostname))
    case 'any':
      return true
  }
}

/** Tells whether one of the folders of the URL's path is that of a seed. */
function inFolder({ places: { all, charactersMax } }: Scope, url: URL): boolean {
  const address = url.host + url.pathname
  for (let slash = address.indexOf('/'); slash >= 0 && slash < charactersMax; slash = address.indexOf('/', slash + 1)) {
    if (all.has(address.slice(0, slash + 1))) return true
  }
  return false
}

function addPlace({ kind, places }: Scope, seed: URL | undefined): void {
  if (!seed) return
  const place = placeOf(kind, seed)
  places.all.add(place)
  places.charactersMax = Math.max(places.charactersMax, place.length)
  if (kind === 'prefix') places.hosts.add(seed.host)
}

/** Returns the place of a seed. http and https are one place: sites answer on both. `www.` is kept: it can be a different
 *  site. For a host the port does not matter, since a service on another port belongs to it; for a folder it does, since a
 *  port names one server. */
function placeOf(kind: Scope['kind'], seed: URL): string {
  if (kind === 'prefix') return seed.host + seed.pathname.slice(0, seed.pathname.lastIndexOf('/') + 1)
  return kind === 'domain' ? registeredDomain(seed.hostname) : seed.hostname
}

function webAddress(text: string): URL | undefined {
  const url = URL.parse(text)
  return url && (url.protocol === 'http:' || url.protocol === 'https:') && url.hostname !== '' ? url : undefined
}

function excluded(reason: Reason, detail: Detail): Verdict {
  return { verdict: 'excluded', reason, detail }
}
