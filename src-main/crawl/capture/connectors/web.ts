/** The connector for web sites: follows links from the seeds over HTTP. The other connectors that use HTTP reuse its parts. */
import { message } from '../../../contract/words/message.ts'
import { Fault } from '../../../contract/calls/faults.ts'
import type { HarvestDefinition } from '../../../contract/services/definition.ts'
import { canonicalUrl } from '../../../formats/cdx/surt.ts'
import { linksOf } from '../fetch/outlinks.ts'
import type { Candidate } from '../../frontier/candidate.ts'
import { fetchAgain } from './conditional.ts'
import { judge, scopeOf } from '../../model/scope.ts'
import type { OpenRepository, RepositoryConnector, RunFetching } from './connector.ts'
import type { Outlink } from '../../model/outlink.ts'

/** Harvests web sites. */
export const web: RepositoryConnector = {
  name: 'web',
  version: 1,
  model: 'ALL',
  inForce: (definition) => definition,
  seedOf: webAddressOf,
  nameOf: nameOfHosts,
  seeds: (definition) => seedsAs(definition, 'page'),
  binOf: (url) => new URL(url).hostname,
  scopeOf,
  judge,
  open: ({ fetching }) => ({
    fetch: overHttp(fetching),
    outlinksOf: async (document, captured) =>
      captured.kind === 'answered' ? linksOf(document, captured, fetching.bodies) : [],
  }),
}

/** The `fetch` of connectors that use HTTP. */
export function overHttp(fetching: RunFetching): OpenRepository['fetch'] {
  return (document) => fetchAgain(document, fetching)
}

/** The seeds of a definition as candidates with this role. */
export function seedsAs({ seeds }: HarvestDefinition, role: 'page' | 'sitemap'): Candidate[] {
  return seeds.map((url) => ({ url, role, hopPath: '', hops: 0, via: null }))
}

/** Converts a seed as typed, a URL or a host name without a scheme, to a canonical URL. Throws `Fault` badInput. */
export function webAddressOf(text: string): string {
  const typed = text.trim()
  // `example.org:8080` names a port, `mailto:a@example.org` a scheme, `[::1]` neither.
  const hasScheme = /^[^[/?#][^/?#]*:(?!\d)/.test(typed)
  const address = canonicalUrl(hasScheme ? typed : `http://${typed}`)
  if (address === undefined || !/^https?:/.test(address)) {
    throw new Fault('badInput', message('seed.notUrl', { text: typed }))
  }
  return address
}

/** Default name of a harvest: the first host, and how many more there are. */
export function nameOfHosts(seeds: readonly string[]): string {
  const hosts = [...new Set(seeds.map((seed) => new URL(seed).host))]
  return hosts.length > 1 ? `${hosts[0]} and ${hosts.length - 1} more` : (hosts[0] ?? 'harvest')
}

/** One outlink with its canonical URL, or none if the text is not a URL. */
export function outlinkTo(text: string, kind: Outlink['kind']): Outlink[] {
  const url = canonicalUrl(text)
  return url === undefined ? [] : [{ url, kind }]
}
