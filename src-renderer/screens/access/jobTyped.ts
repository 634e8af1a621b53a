/** Reads the number of a job from a field: null where it is empty, undefined where it is no number of a job. */
export function jobTyped(typed: number | string): number | null | undefined {
  if (typed === '') return null
  return typeof typed === 'number' && Number.isSafeInteger(typed) && typed > 0 ? typed : undefined
}
