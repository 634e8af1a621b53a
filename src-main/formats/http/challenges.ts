/** What a server asks for when it answers 401: the challenges of WWW-Authenticate, and the parameters of
 *  Authentication-Info (RFC 9110 sections 11.3, 11.6.1 and 11.6.3). What is answered to them is not here (see crawl/login). */

export interface Challenge {
  /** Lower case: `basic`, `digest`, `negotiate` … */
  scheme: string
  /** Names in lower case; of two of one name the first counts. */
  parameters: ReadonlyMap<string, string>
}

/** Servers offer two or three ways; a header of a quarter of a megabyte must not become as many objects. */
const challengesMax = 20
const parametersMax = 50

const separators = /[\s,]*/y
const parameter = /([\w!#$%&'*+.^`|~-]+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"?|([^\s,"=]+))/y
const schemeName = /[\w!#$%&'*+.^`|~-]+/y
/** `Negotiate TlRMTVNTUAAB==`: a token instead of parameters. */
const token68 = /[ \t]+[\w.~+/-]+=*[ \t]*(?=,|$)/y

/** The field's lines in their order. What is no challenge is passed over: a server that asks oddly is still answered. */
export function challengesOf(lines: readonly string[]): Challenge[] {
  const challenges: Challenge[] = []
  for (const text of lines) readLine(text, challenges)
  return challenges
}

/** `nextnonce="…", qop=auth`: parameters without a scheme. */
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
    // Not a name: the rest of the line cannot be framed.
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

function matched(pattern: RegExp, text: string, at: number): { groups: RegExpExecArray; end: number } | undefined {
  pattern.lastIndex = at
  const groups = pattern.exec(text)
  return groups ? { groups, end: pattern.lastIndex } : undefined
}
