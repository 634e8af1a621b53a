/** Selects the backups to remove as outdated. Pure functions of the settings `backup.keepCount` and `backup.keepDays`. Files that are
 *  not known to be good backups of this archive are never selected. */

/** The rules of retention; a backup is kept when one of them applies. */
export interface KeepRules {
  /** Number of newest backups kept whatever their age; at least one. */
  keepCount: number
  /** Age in days up to which all backups are kept. */
  keepDays: number
}

export interface KeptBackup {
  name: string
  /** When the database was last known to equal the backup. */
  confirmedMs: number
}

const dayMs = 86_400_000

/** Names of the outdated backups among the good ones of one archive, oldest first. */
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
