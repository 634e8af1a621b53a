/** Bounds of a running plan. */

/** Documents between their scanner and the queues of their destinations, per scanner: enough to keep slow steps busy. */
export const documentsOnTheWayMax = 256
/** Bytes of content of those documents. One larger document passes alone. */
export const bytesOnTheWayMax = 64 * 1024 * 1024
/** Documents in the queue of a destination, at least: two batches where that is more. Others wait in the database. */
export const queueDocumentsMin = 1_000
/** Bytes of documents in the queue of a destination. */
export const queueBytesMax = 64 * 1024 * 1024
/** Requests of a destination that takes one document at a time. */
export const requestsMax = 8
/** Pause before documents that wait in the database are looked for again, where some are known to wait. */
export const refeedMs = 20
/** The same where none is known: people decide through the database. */
export const lookMs = 1_000
