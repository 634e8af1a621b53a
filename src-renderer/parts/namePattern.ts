/** A pattern of names as a person types it: a regular expression, read as the engine reads it. */

export function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'u')
    return true
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}
