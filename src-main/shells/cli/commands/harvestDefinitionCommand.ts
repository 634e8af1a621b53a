/** Arguments and options of `loupe harvests` and `loupe schedules`. */
import type { Command as Program } from 'commander'
import { harvestKinds } from '../../../contract/services/harvestDefinitions.ts'
import { generatedStatuses } from '../../../contract/states/generatedStatuses.ts'
import { textFor } from '../../../contract/words/render.ts'
import { choiceOption } from '../input/choices.ts'
import * as word from '../input/optionValues.ts'
import { interval, timeInUnit } from '../input/timingOptions.ts'
import type { Run } from '../session/command.ts'
import type { GeneratedFilter } from '../verbs/generatedJobs.ts'
import type { HarvestChange, HarvestFilter, SeedOptions } from '../verbs/harvestDefinitions.ts'
import type { ScheduleChange } from '../verbs/harvestSchedules.ts'

const definitions = () => import('../verbs/harvestDefinitions.ts')
const schedules = () => import('../verbs/harvestSchedules.ts')
const generated = () => import('../verbs/generatedJobs.ts')

/** Adds `loupe harvests`. */
export function addHarvestsVerbs(program: Program, run: Run): void {
  const harvests = program.command('harvests').description(textFor('help.harvests'))
  harvests
    .command('list')
    .description(textFor('help.harvests.list'))
    .addOption(choiceOption('--kind <kind>', textFor('help.harvests.list.kind'), harvestKinds))
    .option('--active', textFor('help.harvests.list.active'))
    .option('--text <text>', textFor('help.harvests.list.text'))
    .action((filter: HarvestFilter) => run(async (command) => (await definitions()).listHarvests(command, filter)))
  withHarvestOptions(harvests.command('add').argument('<name>', textFor('help.harvests.name')))
    .description(textFor('help.harvests.add'))
    .action((name: string, change: HarvestChange) =>
      run(async (command) => (await definitions()).addHarvest(command, name, change)),
    )
  withHarvestOptions(oneHarvest(harvests, 'edit', textFor('help.harvests.edit')))
    .option('--name <name>', textFor('help.harvests.newName'))
    .action((harvest: number, change: HarvestChange) =>
      run(async (command) => (await definitions()).editHarvest(command, harvest, change)),
    )
  harvests
    .command('import')
    .argument('<file>', textFor('help.harvests.file'))
    .description(textFor('help.harvests.import'))
    .action((file: string) => run(async (command) => (await definitions()).importHarvest(command, file)))
  oneHarvest(harvests, 'add-seeds', textFor('help.harvests.addSeeds'))
    .argument('<file>', textFor('help.harvests.seedFile'))
    .option('--template <name>', textFor('help.harvests.template'))
    .option('--max-objects <n>', textFor('help.harvests.maxObjects'), word.whole)
    .option('--max-bytes <size>', textFor('help.harvests.maxBytes'), word.size)
    .action((harvest: number, file: string, options: SeedOptions) =>
      run(async (command) => (await definitions()).addSeeds(command, harvest, file, options)),
    )
  addHarvestActions(harvests, run)
  addGeneratedVerbs(harvests, run)
}

function addHarvestActions(harvests: Program, run: Run): void {
  oneHarvest(harvests, 'show', textFor('help.harvests.show')).action((harvest: number) =>
    run(async (command) => (await definitions()).showHarvest(command, harvest)),
  )
  oneHarvest(harvests, 'remove', textFor('help.harvests.remove')).action((harvest: number) =>
    run(async (command) => (await definitions()).removeHarvest(command, harvest)),
  )
  for (const action of ['activate', 'deactivate'] as const)
    oneHarvest(harvests, action, textFor(`help.harvests.${action}`)).action((harvest: number) =>
      run(async (command) => (await definitions()).actOnHarvest(command, action, harvest)),
    )
  oneHarvest(harvests, 'run', textFor('help.harvests.run')).action((harvest: number) =>
    run(async (command) => (await definitions()).runHarvest(command, harvest)),
  )
  oneHarvest(harvests, 'runs', textFor('help.harvests.runs')).action((harvest: number) =>
    run(async (command) => (await definitions()).listRuns(command, harvest)),
  )
  oneHarvest(harvests, 'statistics', textFor('help.harvests.statistics')).action((harvest: number) =>
    run(async (command) => (await definitions()).harvestStatistics(command, harvest)),
  )
  oneHarvest(harvests, 'export', textFor('help.harvests.export')).action((harvest: number) =>
    run(async (command) => (await definitions()).exportHarvest(command, harvest)),
  )
}

function oneHarvest(harvests: Program, verb: string, description: string): Program {
  return harvests
    .command(verb)
    .argument('<id>', textFor('help.harvests.id'), word.harvestNumber)
    .description(description)
}

function withHarvestOptions(command: Program): Program {
  return command
    .addOption(choiceOption('--kind <kind>', textFor('help.harvests.kind'), harvestKinds))
    .option('--schedule <name>', textFor('help.harvests.schedule'))
    .option('--domain <domain>', textFor('help.harvests.domain'), word.configurations)
    .option('--domains <file>', textFor('help.harvests.domains'))
    .option('--max-objects <n>', textFor('help.harvests.maxObjects'), word.whole)
    .option('--max-bytes <size>', textFor('help.harvests.maxBytes'), word.size)
    .option('--max-seconds <time>', textFor('help.harvests.maxSeconds'), word.seconds)
    .option('--previous <name>', textFor('help.harvests.previous'))
    .option('--channel <name>', textFor('help.harvests.channel'))
    .option('--priority <n>', textFor('help.harvests.priority'), word.positive)
    .option('--comments <text>', textFor('help.harvests.comments'))
    .option('--audience <text>', textFor('help.harvests.audience'))
}

function addGeneratedVerbs(harvests: Program, run: Run): void {
  harvests
    .command('jobs')
    .description(textFor('help.harvests.jobs'))
    .addOption(choiceOption('--status <status>', textFor('help.harvests.jobs.status'), generatedStatuses))
    .option('--harvest <id>', textFor('help.harvests.jobs.harvest'), word.harvestNumber)
    .option('--run <n>', textFor('help.harvests.jobs.run'), word.positive)
    .option('--domain <domain>', textFor('help.harvests.jobs.domain'))
    .option('--from <job>', textFor('help.harvests.jobs.from'), word.jobNumber)
    .option('--to <job>', textFor('help.harvests.jobs.to'), word.jobNumber)
    .action((filter: GeneratedFilter) => run(async (command) => (await generated()).listGeneratedJobs(command, filter)))
  harvests
    .command('explain')
    .argument('<job>', textFor('help.argument.job'), word.jobNumber)
    .description(textFor('help.harvests.explain'))
    .action((job: number) => run(async (command) => (await generated()).explainSplit(command, job)))
  harvests
    .command('errors')
    .argument('<job>', textFor('help.argument.job'), word.jobNumber)
    .description(textFor('help.harvests.errors'))
    .action((job: number) => run(async (command) => (await generated()).showErrors(command, job)))
  for (const action of ['resubmit', 'reject', 'unreject'] as const)
    harvests
      .command(action)
      .argument('<job>', textFor('help.argument.job'), word.jobNumber)
      .description(textFor(`help.harvests.${action}`))
      .action((job: number) => run(async (command) => (await generated()).actOnGeneratedJob(command, action, job)))
}

/** Adds `loupe schedules`. */
export function addSchedulesVerbs(program: Program, run: Run): void {
  const group = program.command('schedules').description(textFor('help.schedules'))
  group
    .command('list')
    .description(textFor('help.schedules.list'))
    .action(() => run(async (command) => (await schedules()).listHarvestSchedules(command)))
  const one = (verb: string, description: string) =>
    group.command(verb).argument('<name>', textFor('help.schedules.name')).description(description)
  one('export', textFor('help.schedules.export')).action((name: string) =>
    run(async (command) => (await schedules()).exportHarvestSchedule(command, name)),
  )
  group
    .command('import')
    .argument('<file>', textFor('help.harvests.file'))
    .description(textFor('help.schedules.import'))
    .action((file: string) => run(async (command) => (await schedules()).importHarvestSchedule(command, file)))
  one('show', textFor('help.schedules.show')).action((name: string) =>
    run(async (command) => (await schedules()).showHarvestSchedule(command, name)),
  )
  withTimingOptions(one('add', textFor('help.schedules.add'))).action((name: string, change: ScheduleChange) =>
    run(async (command) => (await schedules()).addHarvestSchedule(command, name, change)),
  )
  withTimingOptions(one('edit', textFor('help.schedules.edit')))
    .option('--name <name>', textFor('help.schedules.newName'))
    .action((name: string, change: ScheduleChange) =>
      run(async (command) => (await schedules()).editHarvestSchedule(command, name, change)),
    )
  one('remove', textFor('help.schedules.remove')).action((name: string) =>
    run(async (command) => (await schedules()).removeHarvestSchedule(command, name)),
  )
}

function withTimingOptions(command: Program): Program {
  return command
    .option('--every <interval>', textFor('help.schedules.every'), interval)
    .option('--at <time>', textFor('help.schedules.at'), timeInUnit)
    .option('--start <time>', textFor('help.schedules.start'), word.moment)
    .option('--end <time>', textFor('help.schedules.end'), word.moment)
    .option('--runs <n>', textFor('help.schedules.runs'), word.positive)
    .option('--time-zone <name>', textFor('help.schedules.timeZone'))
    .option('--comments <text>', textFor('help.schedules.comments'))
}
