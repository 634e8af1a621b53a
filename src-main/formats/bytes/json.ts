/** Parses JSON of unknown origin. The values in an object are not validated here. */

/** Returns the value; undefined when the text is not JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Returns the object; undefined when the text is not a JSON object. */
export function objectOf(text: string): Readonly<Record<string, unknown>> | undefined {
  const value = jsonOf(text)
  return isObject(value) ? value : undefined
}

/** Returns true for a JSON object; false for arrays and null. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
