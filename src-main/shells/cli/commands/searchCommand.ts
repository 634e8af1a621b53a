/** Arguments and options of `loupe search`. */
import { resolve } from 'node:path'
import type { Command as Program } from 'commander'
import { Fault } from '../../../contract/calls/faults.ts'
import { urlMatches } from '../../../contract/services/search.ts'
import { message } from '../../../contract/words/message.ts'
import { textFor } from '../../../contract/words/render.ts'
import { choiceOption } from '../input/choices.ts'
import * as word from '../input/optionValues.ts'
import type { Run } from '../session/command.ts'
import type { SearchOptions, UrlOptions } from '../verbs/search.ts'

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
    .option('--url <url>', textFor('help.search.url'))
    .addOption(choiceOption('--match <how>', textFor('help.search.match'), urlMatches))
    .option('--after <key>', textFor('help.search.after'))
    .option('--export <dest>', textFor('help.search.export'))
    .action((words: string[], options: SearchOptions & UrlOptions & { export?: string }) =>
      run(async (command) => {
        const { exportMatches, find, findUrls } = await search()
        const { url, match, after, export: destination, ...others } = options
        if (url !== undefined && words.length > 0) throw new Fault('badInput', message('cli.search.urlOrWords'))
        const query = url ?? words.join(' ')
        if (destination !== undefined) {
          const mode = url === undefined ? 'text' : 'urls'
          return exportMatches(command, { mode, query, match, jobs: others.jobs, path: resolve(destination) })
        }
        if (url === undefined) return find(command, query, others)
        const { jobs, limit } = others
        return findUrls(command, { url, match, after, jobs, limit })
      }),
    )
  group
    .command('build')
    .description(textFor('help.search.build'))
    .option('--jobs <ids>', textFor('help.search.build.jobs'), word.jobNumbers)
    .action((_: object, verb: Program) => run(async (command) => (await search()).build(command, jobsNeeded(verb))))
  group
    .command('list')
    .description(textFor('help.search.list'))
    .action(() => run(async (command) => (await search()).listJobs(command)))
  group
    .command('drop')
    .description(textFor('help.search.drop'))
    .option('--jobs <ids>', textFor('help.search.drop.jobs'), word.jobNumbers)
    .action((_: object, verb: Program) => run(async (command) => (await search()).drop(command, jobsNeeded(verb))))
}

/** Returns the jobs of a verb. The parser gives an option that a search has, too, to the search. */
function jobsNeeded(verb: Program): { jobs: number[] } {
  const { jobs } = verb.optsWithGlobals<{ jobs?: number[] }>()
  if (!jobs) throw new Fault('badInput', message('cli.search.jobsNeeded'))
  return { jobs }
}
