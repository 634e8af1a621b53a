/** The Robots Exclusion Protocol (RFC 9309): parses robots.txt and decides whether a URL may be fetched. Where
 *  Google's published parser, which most sites test against, goes beyond the RFC, its behaviour is followed. The
 *  caller fetches the file, handles errors in doing so (2.3.1), and applies the limit of 500 KiB (2.5).
 *
 *     User-agent: loupe       a group: one or more agents,
 *     Disallow: /search       and rules; the longest match decides
 *     Allow: /search/about$   `*` matches any characters, a final `$` the end
 *
 *  Clauses without a document are those of RFC 9309. */

/** An `Allow` or `Disallow` line. */
interface Rule {
  allows: boolean
  pattern: Pattern
  /** The line of the file, shown to the user as the reason. */
  line: string
}

/** Rules that follow one or more `User-agent` lines. */
interface Group {
  /** Product tokens in lower case; `*` for all agents. */
  agents: Set<string>
  rules: Rule[]
}

/** A parsed robots.txt file. */
export interface Robots {
  groups: Group[]
  /** Sitemap addresses as written. The protocol requires absolute URLs, so the caller drops those that do not parse. */
  sitemaps: string[]
  /** Delay between two requests by agent. Not part of RFC 9309, but sent by many sites. */
  delaysMs: Map<string, number>
}

/** Decision about one URL. */
export interface RobotsAnswer {
  allowed: boolean
  /** The deciding line; absent when no line applies to the URL. */
  rule?: string
}

/** Parses a robots.txt file. Invalid lines are ignored. */
export function parseRobots(text: string): Robots {
  const robots: Robots = { groups: [], sitemaps: [], delaysMs: new Map() }
  let group: Group | undefined
  let number = 0
  // A group begins with the first User-agent line after a rule. Other lines in between do not end the list of agents
  // (2.2.4: they "MUST NOT interfere with the parsing of explicitly defined records").
  let namesAgents = false
  for (const raw of text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/)) {
    number++
    const line = keyAndValue(raw)
    if (!line) continue
    if (line.key === 'user-agent') {
      if (!group || !namesAgents) robots.groups.push((group = { agents: new Set(), rules: [] }))
      namesAgents = true
      const token = productToken(line.value)
      if (token !== '') group.agents.add(token)
    } else if (line.key === 'allow' || line.key === 'disallow') {
      namesAgents = false
      // An empty path matches nothing: `Disallow:` allows everything, as without a rule (2.2.2).
      if (!group || line.value === '') continue
      const pattern = compiled(line.value)
      group.rules.push({ allows: line.key === 'allow', pattern, line: `line ${number}: ${raw.trim()}` })
    } else if (line.key === 'sitemap') {
      if (line.value !== '') robots.sitemaps.push(line.value)
    } else if (line.key === 'crawl-delay' && group) {
      setDelay(robots.delaysMs, group.agents, line.value)
    }
  }
  return robots
}

/** Decides whether a URL may be fetched. `agent` is the product token of the harvester (2.2.1), compared without
 *  regard to case. `url` is absolute and encoded as it would be sent. */
export function mayFetch(robots: Robots, agent: string, url: string): RobotsAnswer {
  const path = upperTriplets(pathOf(url))
  // 2.2.2: "The /robots.txt URI is implicitly allowed."
  if (path === '/robots.txt') return { allowed: true }
  let best: Rule | undefined
  for (const group of groupsFor(robots, agent)) {
    for (const rule of group.rules) {
      // 2.2.2: the longest match counts, and of two equally long ones the one that allows.
      const weaker = best !== undefined && rule.pattern.octets < best.pattern.octets
      const tied = best !== undefined && rule.pattern.octets === best.pattern.octets
      if (weaker || (tied && !(rule.allows && !best?.allows)) || !ruleMatches(rule, path)) continue
      best = rule
    }
  }
  return best ? { allowed: best.allows, rule: best.line } : { allowed: true }
}

/** Returns the delay between two requests that the file asks of this agent; undefined when it asks for none. */
export function crawlDelayMs(robots: Robots, agent: string): number | undefined {
  const [first] = groupsFor(robots, agent)
  if (!first) return undefined
  return robots.delaysMs.get(first.agents.has(agent.toLowerCase()) ? agent.toLowerCase() : '*')
}

/** Returns the groups that apply to an agent: all groups that name it count as one, and only when there is none,
 *  those for all agents (2.2.1). */
function groupsFor(robots: Robots, agent: string): Group[] {
  const token = agent.toLowerCase()
  const named = robots.groups.filter((group) => token !== '' && group.agents.has(token))
  return named.length > 0 ? named : robots.groups.filter((group) => group.agents.has('*'))
}

/** Misspellings that Google's parser accepts because they are frequent. */
const spellings: Record<string, string> = {
  useragent: 'user-agent',
  'user agent': 'user-agent',
  dissallow: 'disallow',
  dissalow: 'disallow',
  disalow: 'disallow',
  diasllow: 'disallow',
  disallaw: 'disallow',
  'site-map': 'sitemap',
}

/** Splits a line without its comment; undefined when it has no key or no value. */
function keyAndValue(raw: string): { key: string; value: string } | undefined {
  const hash = raw.indexOf('#')
  const line = (hash < 0 ? raw : raw.slice(0, hash)).trim()
  const colon = line.indexOf(':')
  // A missing colon is accepted when the line has exactly two words.
  const words = colon < 0 ? line.split(/[ \t]+/) : [line.slice(0, colon), line.slice(colon + 1)]
  const [key, value] = words
  if (words.length !== 2 || key === undefined || value === undefined) return undefined
  const lower = key.trim().toLowerCase()
  return { key: Object.hasOwn(spellings, lower) ? (spellings[lower] ?? lower) : lower, value: value.trim() }
}

/** Returns the product token: letters, `_` and `-` (2.2.1). What follows it (`/2.1`, a second word) is ignored. */
function productToken(value: string): string {
  if (/^\*(?:\s|$)/.test(value)) return '*'
  return /^[A-Za-z_-]+/.exec(value)?.[0].toLowerCase() ?? ''
}

/** Maximum delay: no site intends more than a day, and a longer delay is a mistake in the unit. Longer ones are
 *  ignored. */
const delaySecondsMax = 86_400

/** Sets the delay for the agents named last. */
function setDelay(delaysMs: Map<string, number>, agents: Set<string>, value: string): void {
  const seconds = /^\d+(?:\.\d+)?$/.test(value) ? Number(value) : Number.NaN
  if (!(seconds <= delaySecondsMax)) return
  // The first delay of an agent counts: a second `Crawl-delay` in a list of groups is meant for agents named since.
  for (const agent of agents) if (!delaysMs.has(agent)) delaysMs.set(agent, seconds * 1000)
}

/** A path pattern. */
interface Pattern {
  /** Parts of the pattern between the `*`. */
  pieces: string[]
  anchored: boolean
  /** Specificity (2.2.2, "most octets"), including wildcards. */
  octets: number
}

/** Parses a path pattern. */
function compiled(value: string): Pattern {
  const pattern = normalised(value)
  const anchored = pattern.endsWith('$')
  return { pieces: (anchored ? pattern.slice(0, -1) : pattern).split('*'), anchored, octets: pattern.length }
}

/** Matches a pattern. Taking the first occurrence of each part is correct for `*` and needs no backtracking, so
 *  every pattern matches in bounded time. */
function matches({ pieces, anchored }: Pattern, path: string): boolean {
  const [first = '', ...rest] = pieces
  if (!path.startsWith(first)) return false
  let at = first.length
  const last = anchored ? rest.pop() : undefined
  for (const piece of rest) {
    const found = path.indexOf(piece, at)
    if (found < 0) return false
    at = found + piece.length
  }
  if (!anchored) return true
  return last === undefined ? at === path.length : path.length - last.length >= at && path.endsWith(last)
}

/** Whether a rule applies to a path. */
function ruleMatches(rule: Rule, path: string): boolean {
  return matches(rule.pattern, path) || (rule.allows && allowsDirectory(rule.pattern, path))
}

/** Follows Google's parser: a rule that allows `/folder/index.html` also allows `/folder/`, which shows the same
 *  page. */
function allowsDirectory({ pieces }: Pattern, path: string): boolean {
  const [only] = pieces
  if (pieces.length !== 1 || only === undefined) return false
  const slash = only.lastIndexOf('/')
  return slash >= 0 && only.startsWith('/index.htm', slash) && path === only.slice(0, slash + 1)
}

/** Returns the path and query as sent. They are not parsed by the URL Standard, whose corrections could prevent a
 *  match with the site's rule. */
function pathOf(url: string): string {
  const authority = url.indexOf('//')
  const from = authority < 0 ? 0 : authority + 2
  const start = /[/?;]/.exec(url.slice(from))
  const hash = url.indexOf('#', from)
  const end = hash < 0 ? url.length : hash
  if (!start || from + start.index >= end) return '/'
  const path = url.slice(from + start.index, end)
  return path.startsWith('/') ? path : `/${path}`
}

/** Encodes characters outside ASCII as UTF-8 (2.2.2); URLs are already encoded. Encoded letters stay encoded: the
 *  RFC would compare them decoded, but Google's parser, and therefore sites, do not. */
function normalised(value: string): string {
  // oxlint-disable-next-line no-control-regex -- these bytes are what is looked for
  return upperTriplets(value.toWellFormed()).replace(/[^\u0000-\u007f]+/g, encodeURIComponent)
}

/** Writes percent-encodings in capitals: `%c3` and `%C3` are the same octet (RFC 3986, 6.2.2.1). */
function upperTriplets(text: string): string {
  return text.replace(/%[0-9a-f]{2}/gi, (triplet) => triplet.toUpperCase())
}
