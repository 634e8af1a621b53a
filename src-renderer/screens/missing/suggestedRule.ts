/** The ignore rule that is suggested for selected URLs: the URL itself for one, and what several begin with. */

/** Returns a pattern that matches all of the URLs; empty if they have nothing in common. */
export function suggestedRule(urls: readonly string[]): string {
  const [first = '', ...others] = urls
  if (others.length === 0) return first === '' ? '' : `^${literal(first)}$`
  const common = others.reduce(commonStart, first)
  // A rule for every URL of a scheme would be a mistake.
  return /^[a-z]+:\/\/[^/]/.test(common) ? `^${literal(common)}` : ''
}

function commonStart(one: string, other: string): string {
  let end = 0
  while (end < one.length && one[end] === other[end]) end += 1
  return one.slice(0, end)
}

function literal(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)
}
