/**
 * What was found at one place of a file, a file per table of `formats/rules`. A code is the name of the rule; where a rule has several
 * texts, a word after it distinguishes them.
 */
import { arcFindingWords } from './arcFindingWords.ts'
import { fileFindingWords } from './fileFindingWords.ts'
import { harFindingWords } from './harFindingWords.ts'
import { httpFindingWords } from './httpFindingWords.ts'
import { packingFindingWords } from './packingFindingWords.ts'
import { sharedFindingWords } from './sharedFindingWords.ts'
import { textFindingWords } from './textFindingWords.ts'
import { waczFindingWords } from './waczFindingWords.ts'
import { warcFieldFindingWords } from './warcFieldFindingWords.ts'
import { warcFindingWords } from './warcFindingWords.ts'
import { zipFindingWords } from './zipFindingWords.ts'

export const findingWords = {
  ...arcFindingWords,
  ...fileFindingWords,
  ...harFindingWords,
  ...httpFindingWords,
  ...packingFindingWords,
  ...sharedFindingWords,
  ...textFindingWords,
  ...waczFindingWords,
  ...warcFieldFindingWords,
  ...warcFindingWords,
  ...zipFindingWords,
} as const
