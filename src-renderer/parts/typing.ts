/** Typing that is followed by a question to the engine. */

/** Pause in typing after which a query is sent, so that not every key sends one. */
export const typingPauseMs = 250
