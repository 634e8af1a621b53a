/** Groups of captures, and which of them are the largest. */
import { growthNamesMax } from '../model/limits.ts'
import type { GrowthGroup } from './growth.ts'
import type { CountedRow } from './growth.sql.ts'

/** Names of the group of a capture; '': not known. */
export const groupOf: Readonly<Record<GrowthGroup, (row: CountedRow) => string>> = {
  host: ({ key }) => hostOf(key),
  mediaType: ({ mediaType }) => mediaType,
  status: ({ status }) => (status === null ? '' : String(status)),
}

/** The host of a key: `com,example,a:8080)/path` → `a.example.com:8080`. '' for keys without one, such as `dns:`. */
function hostOf(key: string): string {
  const [, host = '', port = ''] = /^([^):/?]+)(:\d+)?\)/.exec(key) ?? []
  return host.split(',').reverse().join('.') + port
}

/** Counts names and finds those with the most. There may be any number of them: beyond `growthNamesMax`, the rarer half is forgotten. Hosts
 *  come one after the other, so their counts stay exact. */
export class LargestGroups {
  readonly #counts = new Map<string, number>()
  readonly #most: number

  constructor(most: number) {
    this.#most = most
  }

  add(name: string): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1)
    if (this.#counts.size <= growthNamesMax) return
    for (const [rare] of this.#ranked().slice(growthNamesMax / 2)) if (rare !== name) this.#counts.delete(rare)
  }

  /** The names with the most captures, the largest first. */
  names(): string[] {
    return this.#ranked()
      .slice(0, this.#most)
      .map(([name]) => name)
  }

  #ranked(): [name: string, captures: number][] {
    return [...this.#counts].toSorted(([one, most], [other, more]) => more - most || (one < other ? -1 : 1))
  }
}
