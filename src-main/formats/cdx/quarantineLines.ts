/** Lines among those of a CDXJ file that say what could not be read as it should: a record that is torn, bytes that belong to
 *  none. They begin with `!`, as the header does, so readers that look up keys pass them by. */

export interface Quarantined {
  /** Where in the archive file; undefined where it is unknown. */
  offset: number | undefined
  reason: string
  /** How many there are of this: more than one only where the rest is not told one by one. */
  count: number
}

export function quarantineLine({ offset, reason, count }: Quarantined): string {
  return `!quarantine 0 ${JSON.stringify({ offset, reason, count })}`
}

/** Undefined when the line is none. */
export function parseQuarantineLine(line: string): Quarantined | undefined {
  const json = /^!quarantine 0 (\{.*\})$/.exec(line)?.[1]
  if (json === undefined) return undefined
  try {
    const { offset, reason, count } = JSON.parse(json) as Record<string, unknown>
    if (typeof reason !== 'string' || typeof count !== 'number') return undefined
    return { offset: typeof offset === 'number' ? offset : undefined, reason, count }
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
