/** Conversion of the deduplication options of `loupe harvest` to a part of the harvest definition. */
import type { DeduplicationOptions } from '../input/deduplicationOptions.ts'

const fields = { deduplicate: 'match', deduplicateWith: 'jobs', storeInFull: 'excludedTypes' } as const

/** Replaces the deduplication options by `deduplication`, which is absent if none was given. */
export function withDeduplication<Asked extends DeduplicationOptions>(
  asked: Asked,
): Omit<Asked, keyof DeduplicationOptions> {
  const { deduplicate, deduplicateWith, storeInFull, ...rest } = asked
  const given = Object.entries({ deduplicate, deduplicateWith, storeInFull })
    .filter(([, value]) => value !== undefined)
    .map(([option, value]) => [fields[option as keyof typeof fields], value])
  return { ...rest, ...(given.length === 0 ? {} : { deduplication: Object.fromEntries(given) as object }) }
}

/** Returns the name, as in `DeduplicationOptions`, of the option that sets this field of `deduplication`. */
export function deduplicationOption(field: string): string {
  return Object.entries(fields).find(([, each]) => each === field)?.[0] ?? 'deduplicate'
}
