/** Possible results of a recheck of a document: how its answer compares with the last capture, and why it left the list. */

/** Why a document left the list: its server reported it as gone, the run did not find it again, or it expired. */
export const removalReasons = ['answered', 'notFound', 'expired'] as const
/** One of `removalReasons`. */
export type RemovalReason = (typeof removalReasons)[number]

/** How an answer compares with the last capture. */
export const comparisons = ['new', 'unchanged', 'changed', 'gone'] as const
/** One of `comparisons`. */
export type Comparison = (typeof comparisons)[number]
