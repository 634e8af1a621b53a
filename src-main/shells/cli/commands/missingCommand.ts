/** Arguments and options of `loupe missing`: URLs that are missing from jobs, rules that ignore them, and patch jobs. */
import type { Command as Program } from 'commander'
import { missGroups, missOrders } from '../../../contract/services/misses.ts'
import { missStates } from '../../../contract/states/missStates.ts'
import { textFor } from '../../../contract/words/render.ts'
import { choiceOption } from '../input/choices.ts'
import * as word from '../input/optionValues.ts'
import type { Run } from '../session/command.ts'
import type { GroupOptions, ListOptions, MissOptions, PatchOptions } from '../verbs/missing.ts'

const missing = () => import('../verbs/missing.ts')
const ofJob = ['<job>', textFor('help.argument.job'), word.jobNumber] as const
const ofJobs = ['<jobs>', textFor('help.missing.jobs'), word.jobNumbers] as const

/** Adds the options that select misses. */
function filtering(verb: Program): Program {
  return verb
    .option('--text <text>', textFor('help.missing.text'))
    .option('--host <name>', textFor('help.missing.host'))
    .option('--path <group>', textFor('help.missing.path'))
    .option('--type <type>', textFor('help.missing.type'))
    .option('--reason <reason>', textFor('help.missing.reason'))
    .option('--page <url>', textFor('help.missing.page'))
}

const states = missStates.states

export function addMissingVerbs(program: Program, run: Run): void {
  const group = program.command('missing').description(textFor('help.missing'))
  filtering(group.command('list'))
    .argument(...ofJobs)
    .description(textFor('help.missing.list'))
    .addOption(choiceOption('--state <state>', textFor('help.missing.state'), states))
    .addOption(choiceOption('--sort <by>', textFor('help.missing.sort'), missOrders))
    .option('--descending', textFor('help.missing.descending'))
    .action((jobs: number[], options: ListOptions) =>
      run(async (command) => (await missing()).listMisses(command, jobs, options)),
    )
  filtering(group.command('groups'))
    .argument(...ofJobs)
    .description(textFor('help.missing.groups'))
    .addOption(choiceOption('--by <property>', textFor('help.missing.by'), missGroups))
    .addOption(choiceOption('--state <state>', textFor('help.missing.state'), states))
    .action((jobs: number[], options: GroupOptions) =>
      run(async (command) => (await missing()).groupMisses(command, jobs, options)),
    )
  group
    .command('add')
    .argument(...ofJob)
    .argument('<urls...>', textFor('help.missing.add.urls'))
    .description(textFor('help.missing.add'))
    .option('--page <url>', textFor('help.missing.add.page'))
    .action((job: number, urls: string[], options: { page?: string }) =>
      run(async (command) => (await missing()).addMisses(command, { job, urls, ...options })),
    )
  group
    .command('ignore')
    .argument(...ofJob)
    .argument('[re]', textFor('help.missing.ignore.pattern'), word.pattern)
    .description(textFor('help.missing.ignore'))
    .option('--remove <rule>', textFor('help.missing.ignore.remove'), word.positive)
    .action((job: number, pattern: string | undefined, options: { remove?: number }) =>
      run(async (command) => (await missing()).ignoreMisses(command, job, { pattern, ...options })),
    )
  filtering(group.command('note'))
    .argument(...ofJob)
    .argument('<note>', textFor('help.missing.note.text'))
    .description(textFor('help.missing.note'))
    .addOption(choiceOption('--state <state>', textFor('help.missing.state'), states))
    .action((job: number, note: string, options: MissOptions) =>
      run(async (command) => (await missing()).noteMisses(command, { job, note }, options)),
    )
  group
    .command('harvest')
    .argument(...ofJob)
    .argument('<url>', textFor('help.missing.harvest.url'))
    .description(textFor('help.missing.harvest'))
    .option('--ignore-robots', textFor('help.missing.patch.ignoreRobots'))
    .action((job: number, url: string, options: { ignoreRobots?: true }) =>
      run(async (command) => (await missing()).harvestMiss(command, { job, url }, options)),
    )
  filtering(group.command('patch'))
    .argument(...ofJob)
    .description(textFor('help.missing.patch'))
    .option('--ignore-robots', textFor('help.missing.patch.ignoreRobots'))
    .option('--later', textFor('help.missing.patch.later'))
    .action((job: number, options: PatchOptions) =>
      run(async (command) => (await missing()).patchMisses(command, job, options)),
    )
}
