/** Typing that is followed by a question to the engine. */

/** It is asked when the typing has paused for so long: nobody is asked at every key. */
export const typingPauseMs = 250
