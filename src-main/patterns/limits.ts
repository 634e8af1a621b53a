/** Limits of patterns, with their reasons. */

/** Maximum size of a compiled pattern in instructions; a character takes about one. The slowest pattern of this size
 *  takes some 0.2 ms for each character of the text, when every state of the automaton is new. */
export const patternInstructionsMax = 5_000
/** Maximum number of repetitions, also of nested ones in total: RE2's own limit. */
export const patternRepeatsMax = 1_000
/** Maximum depth of nested groups: the parser is recursive. */
export const patternDepthMax = 100
/** Memory for the states of one pattern's automaton, in bytes. Patterns against crawler traps need some 20 kB; when
 *  a pattern needs more than this limit, RE2 continues without storing states. */
export const stateBytesMax = 1_048_576
/** Maximum number of characters of a literal that texts are searched for: longer ones are hardly rarer. */
export const literalCharactersMax = 16
/** Maximum number of alternative literals of a pattern; a pattern with more of them is matched
 *  against every text. */
export const literalsMax = 1_000
/** Cost, in instructions times characters, that is matched before other work continues: 0.2 s with the slowest
 *  pattern, 2 ms with usual ones. */
export const portionCostMax = 5_000_000
