/** The message of whatever was thrown: libraries also throw values that are no `Error`. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
