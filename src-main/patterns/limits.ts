/** The bounds of patterns, each with its reason. */

/** Instructions of one compiled pattern; a character is about one. The slowest pattern of this size takes some 0.2 ms for a
 *  character of the text, where each state of the automaton is met for the first time. */
export const patternSizeMax = 5_000
/** RE2's own bound, also for the product of repetitions inside one another. */
export const patternRepeatsMax = 1_000
/** Groups inside each other: the reader calls itself for each. */
export const patternDepthMax = 100
/** Memory for the states of one pattern's automaton. Patterns of traps need some 20 kB; where a pattern needs more than this,
 *  RE2 goes on without remembering states. */
export const stateBytesMax = 1_048_576
/** Characters of a literal that texts are searched for: longer ones hardly occur more rarely. */
export const literalCharactersMax = 16
/** Literals of one pattern, one of which must occur; with more alternatives than that it is matched against every text. */
export const literalsMax = 1_000
/** Instructions times characters that are matched before others get a turn: 0.2 s with the slowest pattern, 2 ms with one as people
 *  write them. */
export const portionCostMax = 5_000_000
