/** Parses the challenges of WWW-Authenticate in a 401 response, and the parameters of Authentication-Info (RFC 9110,
 *  11.3, 11.6.1 and 11.6.3). Answers to challenges are made in crawl/login. */

/** One challenge of WWW-Authenticate. */
export interface Challenge {
  /** Scheme in lower case: `basic`, `digest`, `negotiate` … */
  scheme: string
  /** Parameters by name in lower case; the first of two with the same name counts. */
  parameters: ReadonlyMap<string, string>
}

/** Maximum number of challenges. Servers offer two or three; the limit prevents a header of a quarter of a megabyte
 *  from becoming as many objects. */
const challengesMax = 20
/** Maximum number of parameters of a challenge; Digest has about ten. */
const parametersMax = 50

const separators = /[\s,]*/y
/** Matches a parameter with a token or a quoted string as its value; a missing final quote is accepted. */
const parameter = /([\w!#$%&'*+.^`|~-]+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"?|([^\s,"=]+))/y
const schemeName = /[\w!#$%&'*+.^`|~-]+/y
/** Matches a token instead of parameters, as in `Negotiate TlRMTVNTUAAB==`. */
const token68 = /[ \t]+[\w.~+/-]+=*[ \t]*(?=,|$)/y

/** Returns the challenges of all lines of the field, in order. Text that is no challenge is skipped, so that a
 *  server with a malformed field can still be answered. */
export function challengesOf(lines: readonly string[]): Challenge[] {
  const challenges: Challenge[] = []
  for (const text of lines) readLine(text, challenges)
  return challenges
}

/** Parses parameters without a scheme, such as `nextnonce="…", qop=auth`. */
export function parametersOf(text: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>()
  let at = 0
  for (;;) {
    at = matched(separators, text, at)?.end ?? at
    const found = matched(parameter, text, at)
    if (!found || parameters.size >= parametersMax) return parameters
    keep(parameters, found.groups)
    at = found.end
  }
}

function readLine(text: string, challenges: Challenge[]): void {
  let parameters: Map<string, string> | undefined
  let at = 0
  while (at < text.length) {
    at = matched(separators, text, at)?.end ?? at
    const found = parameters && matched(parameter, text, at)
    if (parameters && found) {
      if (parameters.size < parametersMax) keep(parameters, found.groups)
      at = found.end
      continue
    }
    const scheme = matched(schemeName, text, at)
    // The next text is no scheme name: the rest of the line cannot be parsed.
    if (!scheme || challenges.length >= challengesMax) return
    parameters = new Map()
    challenges.push({ scheme: scheme.groups[0].toLowerCase(), parameters })
    at = matched(token68, text, scheme.end)?.end ?? scheme.end
  }
}

function keep(parameters: Map<string, string>, [, name = '', quoted, token]: RegExpExecArray): void {
  const key = name.toLowerCase()
  if (!parameters.has(key)) parameters.set(key, quoted === undefined ? (token ?? '') : quoted.replace(/\\(.)/g, '$1'))
}

/** Matches a sticky pattern at a position. `end` is the position after it. */
function matched(pattern: RegExp, text: string, at: number): { groups: RegExpExecArray; end: number } | undefined {
  pattern.lastIndex = at
  const groups = pattern.exec(text)
  return groups ? { groups, end: pattern.lastIndex } : undefined
}
