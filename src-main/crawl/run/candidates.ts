/** Judges the outlinks of a document by the scope of its harvest: which of them the frontier gets, and in which role. Pure. */
import { hopLetter, linkTypeOf, type Outlink } from '../model/outlink.ts'
import type { RepositoryConnector } from '../capture/connectors/connector.ts'
import type { DocumentToFetch } from '../model/document.ts'
import type { Candidate } from '../frontier/candidate.ts'
import type { Frontier } from '../frontier/frontier.ts'
import { addRedirectedSeed, isSeedRedirect, type Scope } from '../model/scope.ts'

/** Judges outlinks, and adds the targets of redirected seeds to the scope. Those that the frontier knows as wanted are skipped first: most links of a site lead to pages that the
 *  previous page linked to, and judging parses the URL. */
export function candidatesIn(
  document: Pick<DocumentToFetch, 'id' | 'role' | 'hops' | 'hopPath'> & { url?: string },
  outlinks: readonly Outlink[],
  {
    connector,
    scope,
    frontier,
  }: { connector: Pick<RepositoryConnector, 'judge'>; scope: Scope; frontier: Pick<Frontier, 'isWanted'> },
): Candidate[] {
  const candidates = new Map<string, Candidate>()
  for (const { url, kind } of outlinks) {
    if (candidates.has(url) || url === document.url) continue
    // A redirected seed widens the scope even if its target is known.
    if (kind !== 'redirect' && frontier.isWanted(url)) continue
    const place = {
      url,
      kind,
      parent: {
        role: document.role === 'robots' ? 'page' : document.role,
        hops: Math.max(0, document.hops),
        requisiteDepth: requisiteDepth(document.hopPath),
      },
    } as const
    const verdict = connector.judge(scope, place)
    if (verdict.verdict !== 'excluded' && isSeedRedirect(place)) addRedirectedSeed(scope, url)
    candidates.set(url, {
      url,
      via: document.id,
      hopPath: `${document.hopPath}${hopLetter[linkTypeOf[kind]]}`,
      hops: 'hops' in verdict ? verdict.hops : document.hops + 1,
      role: verdict.verdict === 'excluded' ? 'page' : verdict.verdict,
      ...(verdict.verdict === 'excluded' ? { excluded: { reason: verdict.reason, detail: verdict.detail } } : {}),
    })
  }
  return [...candidates.values()]
}

/** Counts the consecutive requisite hops at the end of the path: `LLEE` is 2. */
function requisiteDepth(hopPath: string): number {
  return /[ER]*$/.exec(hopPath)?.[0].replaceAll('R', '').length ?? 0
}
