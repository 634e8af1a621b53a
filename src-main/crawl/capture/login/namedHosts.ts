/** The hosts that a harvest's definition names. Pure. */
import type { HarvestDefinition } from '../../../contract/services/definition.ts'
import { hostsOf } from './areas.ts'

/** Returns the hosts that a user named, as seeds or otherwise: these may have private addresses. The seeds of an import are
 *  paths. */
export function hostsNamedIn({ seeds, resolve, login }: HarvestDefinition): Set<string> {
  return new Set([
    ...seeds.flatMap((seed) => URL.parse(seed)?.hostname ?? []),
    ...Object.keys(resolve),
    ...(login ? hostsOf(login) : []),
  ])
}
