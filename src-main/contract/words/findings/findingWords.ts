/**
 * What was found at one place of a file, a file per table of `formats/rules`. A code is the name of the rule; where a rule has several
 * texts, a word after it distinguishes them.
 */
import { sharedFindingWords } from './sharedFindingWords.ts'
import { waczFindingWords } from './waczFindingWords.ts'

export const findingWords = {
  ...sharedFindingWords,
  ...waczFindingWords,
} as const
