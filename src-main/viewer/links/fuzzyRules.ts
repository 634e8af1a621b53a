/** Decides whether a captured URL may answer for one that was not captured: both differ only in parameters that do not change
 *  the content, such as those that pages generate at each visit. Lookup is done in `fuzzyCapture.ts`. The rules are those that
 *  web archive players have in common; none is for a particular site. Pure. */

/** A rule by which a parameter of the query is ignored. */
interface ParameterRule {
  name: string
  /** Whether a parameter is ignored by this rule. */
  test: (name: string, value: string) => boolean
}

/** Milliseconds since 1970 for dates after 2001, possibly with more digits. */
const moment = /^1\d{12,14}$/

const parameterRules: readonly ParameterRule[] = [
  {
    name: 'cacheBuster',
    test: (name, value) =>
      (/^(_|cb|uncache|nocache|rnd|rand|random)$/i.test(name) && /^[\d.]+$/.test(value)) ||
      (/bust|ts|time|date/i.test(name) && moment.test(value)) ||
      // Such as `?1383838383838`.
      (moment.test(name) && value === ''),
  },
  {
    name: 'campaign',
    test: (name) => /^(utm_\w+|fbclid|gclid|dclid|msclkid|mc_[ce]id|_ga|_gl)$/i.test(name),
  },
  {
    name: 'callback',
    test: (name, value) =>
      (/^(callback|jsonp|jsoncallback)$/i.test(name) && /^\w*jsonp|^jquery|^_|\d{6}/i.test(value)) ||
      /^jquery\d+_\d+$/i.test(value),
  },
]

/** Files whose query is ignored. A program's output depends on its query. */
const staticFile =
  /\.(js|mjs|css|png|jpe?g|gif|webp|avif|svg|ico|woff2?|ttf|otf|eot|mp4|webm|mp3|m4a|ogg|vtt|json|m3u8|mpd|ts|swf)$/i
/** Media types of stream manifests and of Flash, whose parameters are often generated. */
const streamed = /^application\/(x-shockwave-flash|dash\+xml|vnd\.apple\.mpegurl|x-mpegurl)$|^audio\/(x-)?mpegurl$/i

/** The requested URL. */
export interface FuzzyAsked {
  url: URL
  /** The request is for a window or frame, where another page is never shown instead. */
  isPage: boolean
}

/** The URL of a capture, and its media type. */
export interface FuzzyFound {
  url: string
  mediaType: string
}

/** How a captured URL matches. */
export interface FuzzyMatch {
  /** Names of the rules that matched: those of `parameterRules`, `staticFile` or `stream`. */
  rules: readonly string[]
  /** 0: only ignored parameters differ. Lower is more similar. */
  distance: number
}

/** Compares a captured URL with the requested one. Undefined: it must not answer. */
export function fuzzyMatch({ url, isPage }: FuzzyAsked, found: FuzzyFound): FuzzyMatch | undefined {
  const other = URL.parse(found.url)
  if (!other || other.pathname.toLowerCase() !== url.pathname.toLowerCase()) return undefined
  const [asked, captured] = [judged(url.searchParams), judged(other.searchParams)]
  if (asked.counted === captured.counted)
    return { rules: [...new Set([...asked.rules, ...captured.rules])], distance: 0 }
  const rule = isPage ? undefined : ignoringQuery(url, found)
  return rule === undefined ? undefined : { rules: [rule], distance: 1 + editDistance(asked.counted, captured.counted) }
}

/** The same for requests with content, whose keys include it: only ignored parameters may differ, in the query or the content. */
export function fuzzyMatchSent(askedKey: string, foundKey: string): FuzzyMatch | undefined {
  const [asked, found] = [judged(queryOf(askedKey)), judged(queryOf(foundKey))]
  if (asked.counted !== found.counted) return undefined
  return { rules: [...new Set([...asked.rules, ...found.rules])], distance: 0 }
}

/** A key without ignored parameters. */
export function countedKey(key: string): string {
  const mark = key.indexOf('?')
  if (mark < 0) return key
  const counted = key.slice(mark + 1).split('&').filter((parameter) => judged(new URLSearchParams(parameter)).rules.length === 0) // prettier-ignore
  return counted.length === 0 ? key.slice(0, mark) : `${key.slice(0, mark + 1)}${counted.join('&')}`
}

function queryOf(key: string): URLSearchParams {
  const mark = key.indexOf('?')
  return new URLSearchParams(mark < 0 ? '' : key.slice(mark + 1))
}

/** Returns the rule by which the whole query is ignored. */
function ignoringQuery(url: URL, { mediaType }: FuzzyFound): string | undefined {
  if (streamed.test(mediaType)) return 'stream'
  return staticFile.test(url.pathname) ? 'staticFile' : undefined
}

/** The parameters that count, sorted, and the rules by which others were ignored. */
function judged(parameters: URLSearchParams): { counted: string; rules: string[] } {
  const rules = new Set<string>()
  const counted = [...parameters].filter(([name, value]) => {
    const rule = parameterRules.find(({ test }) => test(name, value))
    if (rule) rules.add(rule.name)
    return rule === undefined
  })
  return {
    counted: counted
      .map(([name, value]) => `${name}=${value}`)
      .toSorted()
      .join('&'),
    rules: [...rules],
  }
}

/** Number of characters compared, because the time grows with their square. */
const comparedCharactersMax = 300

/** The Levenshtein distance of the first `comparedCharactersMax` characters. */
export function editDistance(one: string, other: string): number {
  const [a, b] = [one.slice(0, comparedCharactersMax), other.slice(0, comparedCharactersMax)]
  let row = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let line = 1; line <= a.length; line += 1) {
    const above = row
    row = [line]
    for (let column = 1; column <= b.length; column += 1) {
      const replaced = (above[column - 1] ?? 0) + (a[line - 1] === b[column - 1] ? 0 : 1)
      row.push(Math.min(replaced, (above[column] ?? 0) + 1, (row[column - 1] ?? 0) + 1))
    }
  }
  return row[b.length] ?? 0
}
