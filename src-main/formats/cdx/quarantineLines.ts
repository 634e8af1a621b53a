/** Lines of a CDXJ file about parts of the archive file that could not be read, such as torn records and bytes that
 *  belong to no record. They begin with `!`, as the header does, so that readers that look up keys skip them. */
import { objectOf } from '../bytes/json.ts'

/** A part of an archive file that could not be read. */
export interface Quarantined {
  /** Offset in the archive file; undefined when unknown. */
  offset: number | undefined
  reason: string
  /** Number of occurrences: more than one only when further ones are summarised. */
  count: number
}

/** Returns the line without line end. */
export function quarantineLine({ offset, reason, count }: Quarantined): string {
  return `!quarantine 0 ${JSON.stringify({ offset, reason, count })}`
}

/** Parses a line. Returns undefined for any other line. */
export function parseQuarantineLine(line: string): Quarantined | undefined {
  const { offset, reason, count } = objectOf(/^!quarantine 0 (\{.*\})$/.exec(line)?.[1] ?? '') ?? {}
  if (typeof reason !== 'string' || typeof count !== 'number') return undefined
  return { offset: typeof offset === 'number' ? offset : undefined, reason, count }
}
