/** Arguments and options of `loupe history`, which reports on what the harvester did. */
import { Option, type Command as Program } from 'commander'
import { activityKinds, historyReportNames } from '../../../contract/services/history.ts'
import type { Run } from '../session/command.ts'
import type { HistoryOptions } from '../verbs/history.ts'
import * as word from '../input/optionValues.ts'

export function addHistoryVerb(program: Program, run: Run): void {
  program
    .command('history')
    .description('report on what the harvester did, and on how the documents of jobs stand')
    .addOption(new Option('--report <name>', 'which report').choices(historyReportNames).default('history'))
    .option('--jobs <ids>', 'only these jobs, separated by commas', word.jobNumbers)
    .option('--from <time>', 'only what began then or later', word.moment)
    .option('--to <time>', 'only what began before', word.moment)
    .addOption(new Option('--activity <kind...>', 'only activities of these kinds').choices(activityKinds))
    .option('--identifier <re>', 'only addresses and jobs that match this', word.pattern)
    .option('--result <re>', 'only results that match this, as in ^5 or timeout', word.pattern)
    .option('--class <re>', 'count by what its first group matches in the identifier (default: the host)', word.pattern)
    .option(
      '--result-class <re>',
      'count by what its first group matches in the result (default: all of it)',
      word.pattern,
    )
    .option(
      '--window <time>',
      'how long the window of maximumActivity and maximumBandwidth is, as in 90s or 1h (default: 60s)',
      word.seconds,
    )
    .option('--order <column>', 'of history and documents: by which column (default: the newest first)')
    .option('--ascending', 'the smallest first')
    .option('--limit <n>', 'this many rows (default: 100, of JSON 10000, of CSV all)', word.positive)
    .option('--csv', 'print CSV')
    .addHelpText(
      'after',
      `
Reports: history, what was done one by one; maximumActivity and maximumBandwidth, the busiest window of each class; results,
how often which result was met; documents and queue, how documents stand now, one by one or counted; hosts, mediaTypes,
statuses and seeds, of jobs.

Example: loupe history --report results --job 3 --result-class '^(.)' --csv`,
    )
    .action((options: HistoryOptions) =>
      run(async (command) => (await import('../verbs/history.ts')).history(command, options)),
    )
}
