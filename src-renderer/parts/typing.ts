/** Limits for input that is sent to the engine while the user types. */

/** Pause in typing after which a query is sent, so that not every key sends one. */
export const typingPauseMs = 250
