/** Options of `loupe harvest` that concern rechecks. */
import { Option, type Command as Program } from 'commander'
import { goneModes, hardFailureModes, patienceModes } from '../../../contract/shapes/choices.ts'
import * as word from './optionValues.ts'

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
    .option('--continuous', 'go on until it is stopped, and look at each page again and again')
    .option('--interval <time>', 'look at a page again after this, as in 12h or 7d; or never (default: 1d)', word.span)
    .option('--interval-max <time>', 'leave a page that never changes alone no longer than this', word.span)
    .option('--expiry <time>', 'take a page off the list after this (default: never)', word.span)
    .option('--reseed <time>', 'take up the seeds again this often; or never (default: 1h)', word.span)
    .addOption(
      new Option('--gone <mode>', 'what becomes of pages that the site no longer has (default: "atEnd")').choices(
        goneModes,
      ),
    )
    .addOption(
      new Option('--patience <mode>', 'try servers that cannot be reached for seconds or for hours (default: "brief")') // prettier-ignore
        .choices(patienceModes),
    )
    .addOption(
      new Option('--on-hard-failure <mode>', 'go on without that page, or stop the job (default: "skip")').choices(
        hardFailureModes,
      ),
    )
}
