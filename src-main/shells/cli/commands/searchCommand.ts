/** Arguments and options of `loupe search`. */
import type { Command as Program } from 'commander'
import { textFor } from '../../../contract/words/render.ts'
import * as word from '../input/optionValues.ts'
import type { Run } from '../session/command.ts'
import type { SearchOptions } from '../verbs/search.ts'

const search = () => import('../verbs/search.ts')

/** Adds `loupe search`. A query that is the name of a verb is written in quotation marks within the argument: `'"list"'`. */
export function addSearchVerbs(program: Program, run: Run): void {
  const group = program
    .command('search')
    .description(textFor('help.search'))
    .argument('[query...]', textFor('help.search.query'))
    .option('--jobs <ids>', textFor('help.search.jobs'), word.jobNumbers)
    .option('--limit <n>', textFor('help.search.limit'), word.positive)
    .option('--offset <n>', textFor('help.search.offset'), word.whole)
    .option('--facets', textFor('help.search.facets'))
    .action((words: string[], options: SearchOptions) =>
      run(async (command) => (await search()).find(command, words.join(' '), options)),
    )
  group
    .command('build')
    .description(textFor('help.search.build'))
    .requiredOption('--jobs <ids>', textFor('help.search.build.jobs'), word.jobNumbers)
    .action((options: { jobs: number[] }) => run(async (command) => (await search()).build(command, options)))
  group
    .command('list')
    .description(textFor('help.search.list'))
    .action(() => run(async (command) => (await search()).listJobs(command)))
  group
    .command('drop')
    .description(textFor('help.search.drop'))
    .requiredOption('--jobs <ids>', textFor('help.search.drop.jobs'), word.jobNumbers)
    .action((options: { jobs: number[] }) => run(async (command) => (await search()).drop(command, options)))
}
