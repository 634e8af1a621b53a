/** What surrounds the content of a page: menus, headers and footers of the site, side columns. It is found by what the page says about its
 *  elements, and by runs of lines that are nothing but links. The rule is simple on purpose; docs/decisions/text-index.md has what it was
 *  measured with. */

/** A line of a page. */
export interface Line {
  text: string
  /** Whether all of it is the text of links. */
  isLink: boolean
  /** Whether it is in an element that surrounds the content. */
  isSurrounding: boolean
}

const elements = new Set(['nav', 'footer', 'aside'])
/** Landmarks (WAI-ARIA 1.2, 5.3.4). */
const roles = new Set(['navigation', 'banner', 'contentinfo', 'complementary', 'search'])

/** Lines of links that make a menu: shorter runs are part of a text. */
const menuLinesMin = 8
/** Share of the characters of a page that has to be left where marked elements are left out, and where menus are. A page of which more would
 *  be lost uses these elements in another way, or is a list of links. */
const markedShareMin = 0.1
const menuShareMin = 0.5

/** Whether an element surrounds the content. A `header` does outside of an article. */
export function isSurrounding(name: string, { role, isInContent }: { role: string; isInContent: boolean }): boolean {
  if (elements.has(name) || (name !== '' && roles.has(role))) return true
  return name === 'header' && !isInContent
}

/** Returns the lines of the content. */
export function ofContent(lines: readonly Line[]): readonly Line[] {
  const marked = unlessTooMuch(
    lines,
    lines.filter((line) => !line.isSurrounding),
    markedShareMin,
  )
  return unlessTooMuch(marked, withoutMenus(marked), menuShareMin)
}

function unlessTooMuch(all: readonly Line[], kept: readonly Line[], shareMin: number): readonly Line[] {
  return charactersOf(kept) < shareMin * charactersOf(all) ? all : kept
}

function charactersOf(lines: readonly Line[]): number {
  return lines.reduce((sum, { text }) => sum + text.length, 0)
}

function withoutMenus(lines: readonly Line[]): Line[] {
  const kept: Line[] = []
  for (let at = 0; at < lines.length;) {
    let end = at
    while (lines[end]?.isLink) end++
    if (end - at < menuLinesMin) kept.push(...lines.slice(at, Math.max(end, at + 1)))
    at = Math.max(end, at + 1)
  }
  return kept
}
