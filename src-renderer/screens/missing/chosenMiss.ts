/** Selected misses. A selection keeps keys, because rows that are not shown any more may be unloaded. */

/** What the actions need of a selected miss. */
export interface ChosenMiss {
  id: number
  job: number
  url: string
}

/** Returns the key of a miss in a selection. */
export function chosenKey({ id, job, url }: ChosenMiss): string {
  return JSON.stringify([id, job, url])
}

/** Returns the miss of a key. */
export function chosenOf(key: string): ChosenMiss {
  const [id, job, url] = JSON.parse(key) as [number, number, string]
  return { id, job, url }
}
