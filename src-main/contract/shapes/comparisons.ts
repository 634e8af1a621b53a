/**
 * How the answer for a URL compares with its last capture by the same job. `new`: the job had no capture of it. `unchanged`: the same status
 * and content. `changed`: another status or content. `gone`: not found (404 or 410), where the last capture was something else.
 */
export const comparisons = ['new', 'unchanged', 'changed', 'gone'] as const
/** One of `comparisons`. */
export type Comparison = (typeof comparisons)[number]
