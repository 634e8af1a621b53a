/** Arguments and options of `loupe dedup`, `loupe growth` and `loupe indexes`. */
import type { Command as Program } from 'commander'
import {
  buildableIndexes,
  deduplicationGroups,
  growthGroups,
  growthPeriods,
  indexKinds,
} from '../../../contract/shapes/choices.ts'
import { textFor } from '../../../contract/words/render.ts'
import { choiceOption } from '../input/choices.ts'
import * as word from '../input/optionValues.ts'
import { addSelectionOptions, selectionNeeded, type SelectionWords } from '../input/selectionOptions.ts'
import type { Run } from '../session/command.ts'
import type { References } from '../verbs/dedup.ts'
import type { GrowthOptions } from '../verbs/growth.ts'
import type { IndexFilter } from '../verbs/indexes.ts'

const dedup = () => import('../verbs/dedup.ts')
const indexes = () => import('../verbs/indexes.ts')

/** Adds `loupe dedup`. */
export function addDedupVerbs(program: Program, run: Run): void {
  const group = program.command('dedup').description(textFor('help.dedup'))
  const ofJobs = (verb: Program) => verb.option('--jobs <ids>', textFor('help.dedup.jobs'), word.jobNumbers)
  ofJobs(group.command('report').description(textFor('help.dedup.report')))
    .addOption(choiceOption('--by <what>', textFor('help.dedup.by'), deduplicationGroups))
    .action((options: { jobs?: number[]; by?: (typeof deduplicationGroups)[number] }) =>
      run(async (command) => (await dedup()).report(command, options)),
    )
  ofJobs(group.command('references').description(textFor('help.dedup.references')))
    .option('--file <name>', textFor('help.dedup.file'))
    .option('--content-of <id>', textFor('help.dedup.contentOf'), word.jobNumber)
    .action((options: References) => run(async (command) => (await dedup()).references(command, options)))
  ofJobs(group.command('verify').description(textFor('help.dedup.verify'))).action((options: { jobs?: number[] }) =>
    run(async (command) => (await dedup()).verify(command, options)),
  )
}

/** Adds `loupe growth`. */
export function addGrowthVerb(program: Program, run: Run): void {
  addSelectionOptions(program.command('growth').description(textFor('help.growth')), 'count')
    .option('--domain <name>', textFor('help.growth.domain'))
    .addOption(choiceOption('--period <period>', textFor('help.growth.period'), growthPeriods))
    .addOption(choiceOption('--by <what>', textFor('help.growth.by'), growthGroups))
    .option('--groups <n>', textFor('help.growth.groups'), word.positive)
    .option('--cumulative', textFor('help.growth.cumulative'))
    .option('--csv', textFor('help.growth.csv'))
    .action((options: GrowthOptions) =>
      run(async (command) => (await import('../verbs/growth.ts')).growth(command, options)),
    )
}

/** Adds `loupe indexes`. */
export function addIndexesVerbs(program: Program, run: Run): void {
  const group = program.command('indexes').description(textFor('help.indexes'))
  const kind = () => choiceOption('--kind <kind>', textFor('help.indexes.kind'), indexKinds)
  group
    .command('list')
    .description(textFor('help.indexes.list'))
    .addOption(kind())
    .action((filter: IndexFilter) => run(async (command) => (await indexes()).listIndexes(command, filter)))
  addSelectionOptions(group.command('build').description(textFor('help.indexes.build')), 'search')
    .addOption(choiceOption('--kind <kind>', textFor('help.indexes.build.kind'), buildableIndexes))
    .action(({ kind: built, ...words }: SelectionWords & { kind?: (typeof buildableIndexes)[number] }) =>
      run(async (command) =>
        (await indexes()).buildIndex(command, { ...selectionNeeded(words), ...(built && { kind: built }) }),
      ),
    )
  group
    .command('drop')
    .description(textFor('help.indexes.drop'))
    .addOption(kind())
    .option('--jobs <ids>', textFor('help.indexes.drop.jobs'), word.jobNumbers)
    .action((filter: IndexFilter) => run(async (command) => (await indexes()).dropIndexes(command, filter)))
}
