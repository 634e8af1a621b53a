/** Names of the queues in which submitted jobs wait for a harvester (NetarchiveSuite's channels). */
import type { HarvestKind } from '../../contract/services/harvestDefinitions.ts'

const usualChannels: Record<HarvestKind, string> = {
  selective: 'ANY_HIGHPRIORITY',
  event: 'ANY_HIGHPRIORITY',
  snapshot: 'ANY_LOWPRIORITY',
}

/** Returns the channel of a harvest that names none. */
export function usualChannelOf(kind: HarvestKind): string {
  return usualChannels[kind]
}

/** The channels from which the harvester of this process takes jobs, in this order. */
export const listenedChannels: readonly string[] = [...new Set(Object.values(usualChannels))]
