/** Options of `loupe harvest` that concern rechecks. */
import type { Command as Program } from 'commander'
import { goneModes, hardFailureModes, patienceModes } from '../../../contract/shapes/choices.ts'
import { textFor } from '../../../contract/words/render.ts'
import * as word from './optionValues.ts'
import { choiceOption } from './choices.ts'

/** Values of these options, named as in the contract. */
export interface RecheckOptions {
  continuous?: true
  interval?: word.Span
  intervalMax?: word.Span
  expiry?: word.Span
  reseed?: word.Span
  gone?: string
  patience?: string
  onHardFailure?: string
}

/** Adds the recheck options to `loupe harvest`. */
export function addRecheckOptions(harvest: Program): Program {
  return harvest
    .option('--continuous', textFor('help.harvest.continuous'))
    .option('--interval <time>', textFor('help.harvest.interval'), word.span)
    .option('--interval-max <time>', textFor('help.harvest.intervalMax'), word.span)
    .option('--expiry <time>', textFor('help.harvest.expiry'), word.span)
    .option('--reseed <time>', textFor('help.harvest.reseed'), word.span)
    .addOption(choiceOption('--gone <mode>', textFor('help.harvest.gone'), goneModes))
    .addOption(choiceOption('--patience <mode>', textFor('help.harvest.patience'), patienceModes))
    .addOption(choiceOption('--on-hard-failure <mode>', textFor('help.harvest.onHardFailure'), hardFailureModes))
}
