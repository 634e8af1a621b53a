/** The Robots Exclusion Protocol, RFC 9309: what a robots.txt allows to whom. Where Google's published parser, which most
 *  sites test against, says more than the RFC, this does as it does. Not here: fetching the file, what an error in doing so
 *  means (section 2.3.1), and the bound of 500 KiB (2.5): the caller cuts. */

interface Rule {
  allows: boolean
  pattern: Pattern
  /** As it stands in the file, for a person who asks why. */
  line: string
}

/** The rules that follow one or more `User-agent` lines. */
interface Group {
  /** Product tokens in lower case; `*` for everyone. */
  agents: Set<string>
  rules: Rule[]
}

export interface Robots {
  groups: Group[]
  /** As written; relative ones are not allowed by the protocol, so the caller drops what does not parse. */
  sitemaps: string[]
  /** Agent → what it is to wait between two requests. Not in RFC 9309, but sent by many sites. */
  delaysMs: Map<string, number>
}

export interface RobotsAnswer {
  allowed: boolean
  /** The line that decided; absent when no line says anything about the URL. */
  rule?: string
}

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
      // An empty path matches nothing: `Disallow:` allows everything, which is what no rule does (2.2.2).
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

/** `agent` is the product token of the harvester (2.2.1), compared without regard to case. `url` is absolute and encoded,
 *  as it would be sent. */
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

/** What the file asks this agent to wait between two requests. */
export function crawlDelayMs(robots: Robots, agent: string): number | undefined {
  const [first] = groupsFor(robots, agent)
  if (!first) return undefined
  return robots.delaysMs.get(first.agents.has(agent.toLowerCase()) ? agent.toLowerCase() : '*')
}

/** 2.2.1: all groups that name the agent count as one; only when there is none, those for everyone. */
function groupsFor(robots: Robots, agent: string): Group[] {
  const token = agent.toLowerCase()
  const named = robots.groups.filter((group) => token !== '' && group.agents.has(token))
  return named.length > 0 ? named : robots.groups.filter((group) => group.agents.has('*'))
}

/** Spellings that Google found often enough to accept. */
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

function keyAndValue(raw: string): { key: string; value: string } | undefined {
  const hash = raw.indexOf('#')
  const line = (hash < 0 ? raw : raw.slice(0, hash)).trim()
  const colon = line.indexOf(':')
  // A forgotten colon is forgiven when the line is just two words.
  const words = colon < 0 ? line.split(/[ \t]+/) : [line.slice(0, colon), line.slice(colon + 1)]
  const [key, value] = words
  if (words.length !== 2 || key === undefined || value === undefined) return undefined
  const lower = key.trim().toLowerCase()
  return { key: Object.hasOwn(spellings, lower) ? (spellings[lower] ?? lower) : lower, value: value.trim() }
}

/** 2.2.1: letters, `_` and `-`. What follows (`/2.1`, a second word) is not part of the name. */
function productToken(value: string): string {
  if (/^\*(?:\s|$)/.test(value)) return '*'
  return /^[A-Za-z_-]+/.exec(value)?.[0].toLowerCase() ?? ''
}

/** A day is longer than any site means; what asks for more is a mistake in the unit. */
const delaySecondsMax = 86_400

function setDelay(delaysMs: Map<string, number>, agents: Set<string>, value: string): void {
  const seconds = /^\d+(?:\.\d+)?$/.test(value) ? Number(value) : Number.NaN
  if (!(seconds <= delaySecondsMax)) return
  // The first one counts: the second `Crawl-delay` of a shared list is meant for the agents named since.
  for (const agent of agents) if (!delaysMs.has(agent)) delaysMs.set(agent, seconds * 1000)
}

interface Pattern {
  /** The pieces between the `*`. */
  pieces: string[]
  anchored: boolean
  /** Specificity (2.2.2, "most octets"), wildcards counted. */
  octets: number
}

function compiled(value: string): Pattern {
  const pattern = normalised(value)
  const anchored = pattern.endsWith('$')
  return { pieces: (anchored ? pattern.slice(0, -1) : pattern).split('*'), anchored, octets: pattern.length }
}

/** Taking each piece as early as it comes is right for `*` and never goes back, so no pattern is slow. */
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

function ruleMatches(rule: Rule, path: string): boolean {
  return matches(rule.pattern, path) || (rule.allows && allowsDirectory(rule.pattern, path))
}

/** Google: who allows `/folder/index.html` allows `/folder/`, which shows the same. */
function allowsDirectory({ pieces }: Pattern, path: string): boolean {
  const [only] = pieces
  if (pieces.length !== 1 || only === undefined) return false
  const slash = only.lastIndexOf('/')
  return slash >= 0 && only.startsWith('/index.htm', slash) && path === only.slice(0, slash + 1)
}

/** Path and query as sent. Not parsed as the URL Standard would: it repairs what the site's line then would not match. */
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

/** Everything beyond ASCII encoded as UTF-8 (2.2.2); URLs come encoded already. Encoded letters stay encoded: the RFC would
 *  compare them decoded, Google's parser and so the sites do not. */
function normalised(value: string): string {
  // oxlint-disable-next-line no-control-regex -- these bytes are what is looked for
  return upperTriplets(value.toWellFormed()).replace(/[^\u0000-\u007f]+/g, encodeURIComponent)
}

/** `%c3` and `%C3` are the same octet (RFC 3986 6.2.2.1). */
function upperTriplets(text: string): string {
  return text.replace(/%[0-9a-f]{2}/gi, (triplet) => triplet.toUpperCase())
}
