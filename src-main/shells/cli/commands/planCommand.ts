/** Arguments and options of `loupe plan`. */
import type { Command as Program } from 'commander'
import { deliveryDecisions } from '../../../contract/services/deliveries.ts'
import { deliveryStates } from '../../../contract/states/deliveryStates.ts'
import { textFor } from '../../../contract/words/render.ts'
import { choiceOption } from '../input/choices.ts'
import * as word from '../input/optionValues.ts'
import type { Run } from '../session/command.ts'
import type { DocumentFilter } from '../verbs/planDocuments.ts'
import type { PlanMigration, PlanVersionOption } from '../verbs/plans.ts'

const plans = () => import('../verbs/plans.ts')
const running = () => import('../verbs/planRun.ts')
const chosen = () => import('../verbs/planDocuments.ts')

export function addPlanVerbs(program: Program, run: Run): void {
  const group = program.command('plan').description(textFor('help.plan'))
  addPlans(group, run)
  addRuns(group, run)
  addDocuments(group, run)
}

function addPlans(group: Program, run: Run): void {
  group
    .command('list')
    .description(textFor('help.plan.list'))
    .action(() => run(async (command) => (await plans()).listPlans(command)))
  group
    .command('check')
    .argument('<file>', textFor('help.plan.file'))
    .description(textFor('help.plan.check'))
    .action((file: string) => run(async (command) => (await plans()).checkPlan(command, file)))
  group
    .command('save')
    .argument('<file>', textFor('help.plan.file'))
    .description(textFor('help.plan.save'))
    .option('--refeed', textFor('help.plan.refeed'))
    .addOption(
      choiceOption('--keep-status <status...>', textFor('help.plan.keep'), deliveryStates.states).conflicts('refeed'),
    )
    .action((file: string, migration: PlanMigration) =>
      run(async (command) => (await plans()).savePlan(command, file, migration)),
    )
}

function onePlan(group: Program, verb: string, description: string): Program {
  return group.command(verb).argument('<name>', textFor('help.plan.name')).description(description)
}

function addRuns(group: Program, run: Run): void {
  onePlan(group, 'run', textFor('help.plan.run'))
    .option('--version-number <n>', textFor('help.plan.version'), word.positive)
    .option('--once', textFor('help.plan.once'))
    .action((name: string, options: PlanVersionOption & { once?: true }) =>
      run(async (command) => (await running()).runPlan(command, name, options)),
    )
  onePlan(group, 'stop', textFor('help.plan.stop')).action((name: string) =>
    run(async (command) => (await running()).stopPlan(command, name)),
  )
  onePlan(group, 'status', textFor('help.plan.status'))
    .option('--version-number <n>', textFor('help.plan.version'), word.positive)
    .action((name: string, options: PlanVersionOption) =>
      run(async (command) => (await plans()).showPlanStatus(command, name, options)),
    )
}

/** Adds the options that choose documents at a destination. */
function atDestination(verb: Program): Program {
  return verb
    .requiredOption('--destination <name>', textFor('help.plan.destination'))
    .addOption(
      choiceOption(
        '--status <status>',
        textFor('help.plan.status.option'),
        deliveryStates.states,
      ).makeOptionMandatory(),
    )
    .option('--scanner <name>', textFor('help.plan.scanner'))
    .option('--version-number <n>', textFor('help.plan.version'), word.positive)
}

function addDocuments(group: Program, run: Run): void {
  atDestination(onePlan(group, 'documents', textFor('help.plan.documents')))
    .option('--limit <n>', textFor('help.plan.limit'), word.positive)
    .action((name: string, filter: DocumentFilter & { limit?: number }) =>
      run(async (command) => (await chosen()).listDocuments(command, name, filter)),
    )
  onePlan(group, 'history', textFor('help.plan.history'))
    .argument('<document>', textFor('help.plan.document'))
    .option('--version-number <n>', textFor('help.plan.version'), word.positive)
    .action((name: string, document: string, option: PlanVersionOption) =>
      run(async (command) => (await chosen()).showHistory(command, name, document, option)),
    )
  for (const decision of deliveryDecisions)
    atDestination(onePlan(group, decision, textFor(`help.plan.${decision}`)))
      .argument('[document...]', textFor('help.plan.documentsChosen'))
      .action((name: string, documents: string[], filter: DocumentFilter) =>
        run(async (command) => (await chosen()).decide(command, decision, { name, documents, filter })),
      )
}
