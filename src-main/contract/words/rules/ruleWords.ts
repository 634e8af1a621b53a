/** Meanings of the rules that findings name, a file per table of `formats/rules`. The tables have the severities and clauses. */
import { arcRuleWords } from './arcRuleWords.ts'
import { fileRuleWords } from './fileRuleWords.ts'
import { harRuleWords } from './harRuleWords.ts'
import { httpRuleWords } from './httpRuleWords.ts'
import { importRuleWords } from './importRuleWords.ts'
import { linkRuleWords } from './linkRuleWords.ts'
import { textRuleWords } from './textRuleWords.ts'
import { logRuleWords } from './logRuleWords.ts'
import { packingRuleWords } from './packingRuleWords.ts'
import { waczRuleWords } from './waczRuleWords.ts'
import { warcFieldRuleWords } from './warcFieldRuleWords.ts'
import { warcRuleWords } from './warcRuleWords.ts'
import { zipRuleWords } from './zipRuleWords.ts'

export const ruleWords = {
  'rule.unknown': 'This version of Loupe does not know the rule.',
  ...arcRuleWords,
  ...fileRuleWords,
  ...harRuleWords,
  ...httpRuleWords,
  ...importRuleWords,
  ...linkRuleWords,
  ...textRuleWords,
  ...logRuleWords,
  ...packingRuleWords,
  ...waczRuleWords,
  ...warcFieldRuleWords,
  ...warcRuleWords,
  ...zipRuleWords,
} as const
