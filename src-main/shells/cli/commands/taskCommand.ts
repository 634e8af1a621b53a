/** Arguments and options of `loupe tasks` and `loupe metrics`. */
import type { Command as Program } from 'commander'
import { taskKindNames, type TaskKind } from '../../../contract/shapes/taskKinds.ts'
import { textFor } from '../../../contract/words/render.ts'
import type { Run } from '../session/command.ts'
import * as word from '../input/optionValues.ts'
import { choiceOption } from '../input/choices.ts'

export function addTaskVerbs(program: Program, run: Run): void {
  const tasks = program
    .command('tasks')
    .description(textFor('help.tasks'))
    .addOption(choiceOption('--kind <kind>', textFor('help.tasks.kind'), taskKindNames))
    .option('--limit <n>', textFor('help.tasks.limit'), word.positive)
    .action((options: { kind?: TaskKind; limit?: number }) =>
      run(async (command) => (await import('../verbs/tasks.ts')).listTasks(command, options)),
    )
  for (const [action, code] of [
    ['stop', 'help.tasks.stop'],
    ['pause', 'help.tasks.pause'],
    ['resume', 'help.tasks.resume'],
  ] as const) {
    tasks
      .command(action)
      .argument('<task>', textFor('help.argument.task'), word.positive)
      .description(textFor(code))
      .action((task: number) =>
        run(async (command) => (await import('../verbs/tasks.ts')).actOnTask(command, action, task)),
      )
  }
}

export function addMetricsVerb(program: Program, run: Run): void {
  program
    .command('metrics')
    .description(textFor('help.metrics'))
    .action(() => run(async (command) => (await import('../verbs/metrics.ts')).printMetrics(command)))
}
