/** When an address that was not captured may be answered by one that was: addresses that differ only in what says nothing about
 *  their content, as pages make them anew at each visit. Pure tables; looking captures up is done in `fuzzyCapture.ts`. The general
 *  rules are those that web-archive players share; none is made for one site. */

interface ParameterRule {
  name: string
  /** For a person: what such a parameter is for. */
  meaning: string
  /** Of a parameter that does not count. */
  test: (name: string, value: string) => boolean
}

/** Milliseconds since 1970 as they have been since 2001, also with more digits behind. */
const moment = /^1\d{12,14}$/

export const parameterRules: readonly ParameterRule[] = [
  {
    name: 'cacheBuster',
    meaning: 'a number that only keeps caches from answering',
    test: (name, value) =>
      (/^(_|cb|uncache|nocache|rnd|rand|random)$/i.test(name) && /^[\d.]+$/.test(value)) ||
      (/bust|ts|time|date/i.test(name) && moment.test(value)) ||
      // Such as `?1383838383838`.
      (moment.test(name) && value === ''),
  },
  {
    name: 'campaign',
    meaning: 'from where a visitor came',
    test: (name) => /^(utm_\w+|fbclid|gclid|dclid|msclkid|mc_[ce]id|_ga|_gl)$/i.test(name),
  },
  {
    name: 'callback',
    meaning: 'how the function is called that takes the answer',
    test: (name, value) =>
      (/^(callback|jsonp|jsoncallback)$/i.test(name) && /^\w*jsonp|^jquery|^_|\d{6}/i.test(value)) ||
      /^jquery\d+_\d+$/i.test(value),
  },
]

/** What programs make of their query is another thing each time. */
const staticFile =
  /\.(js|mjs|css|png|jpe?g|gif|webp|avif|svg|ico|woff2?|ttf|otf|eot|mp4|webm|mp3|m4a|ogg|vtt|json|m3u8|mpd|ts|swf)$/i
const streamed = /^application\/(x-shockwave-flash|dash\+xml|vnd\.apple\.mpegurl|x-mpegurl)$|^audio\/(x-)?mpegurl$/i

export interface FuzzyAsked {
  url: URL
  /** For a window or a frame: another page is never shown in place of the one that was asked, however alike they are called. */
  isPage: boolean
}

export interface FuzzyFound {
  url: string
  mediaType: string
}

export interface FuzzyMatch {
  /** Of `parameterRules`, or `staticFile` or `stream`: what made the two alike. */
  rules: readonly string[]
  /** Less is better: 0 is nothing but what does not count. */
  distance: number
}

/** Whether a captured address of the same path may answer for the one that was asked; undefined: it may not. */
export function fuzzyMatch({ url, isPage }: FuzzyAsked, found: FuzzyFound): FuzzyMatch | undefined {
  const other = URL.parse(found.url)
  if (!other || other.pathname.toLowerCase() !== url.pathname.toLowerCase()) return undefined
  const [asked, captured] = [judged(url.searchParams), judged(other.searchParams)]
  if (asked.counted === captured.counted)
    return { rules: [...new Set([...asked.rules, ...captured.rules])], distance: 0 }
  const rule = isPage ? undefined : ignoringQuery(url, found)
  return rule === undefined ? undefined : { rules: [rule], distance: 1 + editDistance(asked.counted, captured.counted) }
}

/** The same for requests with content, whose keys hold what was sent: only what does not count may differ, in the query or in the
 *  content. */
export function fuzzyMatchSent(askedKey: string, foundKey: string): FuzzyMatch | undefined {
  const [asked, found] = [judged(queryOf(askedKey)), judged(queryOf(foundKey))]
  if (asked.counted !== found.counted) return undefined
  return { rules: [...new Set([...asked.rules, ...found.rules])], distance: 0 }
}

/** A key without the parameters that do not count. */
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

function ignoringQuery(url: URL, { mediaType }: FuzzyFound): string | undefined {
  if (streamed.test(mediaType)) return 'stream'
  return staticFile.test(url.pathname) ? 'staticFile' : undefined
}

/** The parameters that count, in one order, and by which rules the others do not. */
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

const comparedCharactersMax = 300

/** Insertions, deletions and replacements that make one of the other (Levenshtein), of the first so many characters. */
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
