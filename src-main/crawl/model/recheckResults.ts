/** Possible results of a recheck of a document: how its answer compares with the last capture, and why it left the list. */

export const removalReasons = ['answered', 'notFound', 'expired'] as const

export type RemovalReason = (typeof removalReasons)[number]

export const comparisons = ['new', 'unchanged', 'changed', 'gone'] as const

export type Comparison = (typeof comparisons)[number]
