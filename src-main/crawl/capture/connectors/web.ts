/** Web sites: from its seeds along their links, over HTTP. The other connectors that speak HTTP are made of its parts. */
import { Fault } from '../../../contract/calls/faults.ts'
import type { HarvestDefinition } from '../../../contract/contract.ts'
import { canonicalUrl } from '../../../formats/cdx/surt.ts'
import { linksOf } from '../fetch/outlinks.ts'
import type { Candidate } from '../../frontier/frontier.ts'
import { fetchAgain } from './conditional.ts'
import { judge, scopeOf } from '../../model/scope.ts'
import type { OpenRepository, RepositoryConnector, RunFetching } from './connector.ts'
import type { Outlink } from '../../model/outlink.ts'

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
    outlinksOf: async (document, captured) => (captured.kind === 'answered' ? linksOf(document, captured) : []),
  }),
}

export function overHttp(fetching: RunFetching): OpenRepository['fetch'] {
  return (document) => fetchAgain(document, fetching)
}

export function seedsAs({ seeds }: HarvestDefinition, role: 'page' | 'sitemap'): Candidate[] {
  return seeds.map((url) => ({ url, role, hopPath: '', hops: 0, via: null }))
}

/** What people type as a seed: an address, or a host name without its scheme. */
export function webAddressOf(text: string): string {
  const typed = text.trim()
  // `example.org:8080` names a port, `mailto:a@example.org` a scheme, `[::1]` neither.
  const hasScheme = /^[^[/?#][^/?#]*:(?!\d)/.test(typed)
  const address = canonicalUrl(hasScheme ? typed : `http://${typed}`)
  if (address === undefined || !/^https?:/.test(address)) {
    throw new Fault(
      'badInput',
      `"${typed}" is not an address that can be harvested: it must look like https://example.org/.`,
    )
  }
  return address
}

export function nameOfHosts(seeds: readonly string[]): string {
  const hosts = [...new Set(seeds.map((seed) => new URL(seed).host))]
  return hosts.length > 1 ? `${hosts[0]} and ${hosts.length - 1} more` : (hosts[0] ?? 'harvest')
}

/** A lead without what is no address. */
export function outlinkTo(text: string, kind: Outlink['kind']): Outlink[] {
  const url = canonicalUrl(text)
  return url === undefined ? [] : [{ url, kind }]
}
