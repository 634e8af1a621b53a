/** Arguments and options of `loupe history`, which reports on what the harvester did. */
import type { Command as Program } from 'commander'
import { activityKinds, historyReportNames } from '../../../contract/services/history.ts'
import { comparisons } from '../../../contract/shapes/comparisons.ts'
import { textFor } from '../../../contract/words/render.ts'
import type { Run } from '../session/command.ts'
import type { HistoryOptions } from '../verbs/history.ts'
import * as word from '../input/optionValues.ts'
import { choiceOption } from '../input/choices.ts'

export function addHistoryVerb(program: Program, run: Run): void {
  program
    .command('history')
    .description(textFor('help.history'))
    .addOption(choiceOption('--report <name>', textFor('help.history.report'), historyReportNames).default('history'))
    .option('--jobs <ids>', textFor('help.history.jobs'), word.jobNumbers)
    .option('--from <time>', textFor('help.history.from'), word.moment)
    .option('--to <time>', textFor('help.history.to'), word.moment)
    .addOption(choiceOption('--activity <kind...>', textFor('help.history.activity'), activityKinds))
    .option('--identifier <re>', textFor('help.history.identifier'), word.pattern)
    .option('--result <re>', textFor('help.history.result'), word.pattern)
    .option('--class <re>', textFor('help.history.class'), word.pattern)
    .option('--result-class <re>', textFor('help.history.resultClass'), word.pattern)
    .option('--window <time>', textFor('help.history.window'), word.seconds)
    .option('--run <n>', textFor('help.history.run'), word.positive)
    .addOption(choiceOption('--change <kind...>', textFor('help.history.change'), comparisons))
    .option('--order <column>', textFor('help.history.order'))
    .option('--ascending', textFor('help.history.ascending'))
    .option('--limit <n>', textFor('help.history.limit'), word.positive)
    .option('--csv', textFor('help.history.csv'))
    .addHelpText('after', textFor('help.history.after'))
    .action((options: HistoryOptions) =>
      run(async (command) => (await import('../verbs/history.ts')).history(command, options)),
    )
}
