/** Options of `loupe harvest` that concern deduplication. */
import type { Command as Program } from 'commander'
import { deduplicationMatches } from '../../../contract/shapes/choices.ts'
import { textFor } from '../../../contract/words/render.ts'
import * as word from './optionValues.ts'
import { choiceOption } from './choices.ts'

/** Values of these options. */
export interface DeduplicationOptions {
  deduplicate?: string
  deduplicateWith?: number[]
  storeInFull?: string[]
}

/** Adds the deduplication options to `loupe harvest`. */
export function addDeduplicationOptions(harvest: Program): Program {
  return harvest
    .addOption(choiceOption('--deduplicate <match>', textFor('help.harvest.deduplicate'), deduplicationMatches))
    .option('--deduplicate-with <ids>', textFor('help.harvest.deduplicateWith'), word.jobNumbers)
    .option('--store-in-full <types>', textFor('help.harvest.storeInFull'), word.listed)
}
