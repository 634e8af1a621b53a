/** What sources have in common whose documents are named by lists and come from no server: folders, and modules of the user. */
import type { HarvestDefinition } from '../../../contract/services/definition.ts'
import { isIncluded, type Found, type Scope, type Verdict } from '../../model/scope.ts'

/** Documents that are read at once by default: such a source can serve several, and politeness does not apply to it. */
const documentsAtOnceUsual = 4

/** The definition without what only makes sense for hosts. */
export function withoutHosts({ maxHops: _maxHops, ...definition }: HarvestDefinition): HarvestDefinition {
  return {
    ...definition,
    scope: 'any',
    robots: 'ignore',
    delayMs: 0,
    connectionsPerHost: definition.connectionsPerHost ?? documentsAtOnceUsual,
  }
}

/** Decides whether a document that a list names belongs to the harvest. Patterns also match the decoded URL, since users write names
 *  unescaped. */
export function judgeEntry(scope: Scope, { url, kind, parent }: Found): Verdict {
  const names = [url, decoded(url)]
  const exclude = scope.exclude.matchedBy(...names)
  if (exclude !== undefined) return { verdict: 'excluded', reason: 'excludedByPattern', detail: exclude }
  const at = { hops: parent.hops + 1, requisiteDepth: 0 }
  if (kind === 'sitemap') return { verdict: 'sitemap', ...at }
  if (isIncluded(scope, ...names)) return { verdict: 'page', ...at }
  return { verdict: 'excluded', reason: 'notIncluded', detail: scope.include.written.join(' | ') }
}

function decoded(url: string): string {
  return Buffer.from(
    url.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    'latin1',
  ).toString('utf8')
}
