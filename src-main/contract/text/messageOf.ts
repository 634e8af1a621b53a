/** Returns the message of any thrown value: libraries also throw values that are not an `Error`. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
