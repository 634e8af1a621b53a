/** Why a document left the list of a job. How answers compare with the last capture: `contract/shapes/comparisons.ts`. */

/** Why a document left the list: its server reported it as gone, the run did not find it again, or it expired. */
export const removalReasons = ['answered', 'notFound', 'expired'] as const
/** One of `removalReasons`. */
export type RemovalReason = (typeof removalReasons)[number]
