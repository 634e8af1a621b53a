/** Which backups are removed to make room for newer ones. Pure; the rules are the settings `backup.keepCount` and `backup.keepDays`.
 *  What is not known to be a good backup of this archive is never among them. */

export interface KeepRules {
  /** So many of the newest are kept, however old they are; at least one. */
  keepCount: number
  /** Those that are younger are kept, however many they are. */
  keepDays: number
}

export interface KeptBackup {
  name: string
  /** When the database was last known to be what the backup holds. */
  confirmedMs: number
}

const dayMs = 86_400_000

/** Names of what may be removed of the good backups of one archive, the oldest first. */
export function outdated(good: readonly KeptBackup[], { keepCount, keepDays }: KeepRules, nowMs: number): string[] {
  const newestFirst = good.toSorted(
    (one, other) => other.confirmedMs - one.confirmedMs || (one.name < other.name ? 1 : -1),
  )
  return newestFirst
    .slice(Math.max(1, keepCount))
    .filter(({ confirmedMs }) => nowMs - confirmedMs > keepDays * dayMs)
    .map(({ name }) => name)
    .toReversed()
}
