/** Arguments and options of `loupe tasks`. */
import { Option, type Command as Program } from 'commander'
import { taskKindNames, type TaskKind } from '../../../contract/shapes/taskKinds.ts'
import type { Run } from '../session/command.ts'
import * as word from '../input/optionValues.ts'

export function addTaskVerbs(program: Program, run: Run): void {
  const tasks = program
    .command('tasks')
    .description('list the tasks, newest first: exports and batch jobs with their progress and result')
    .addOption(new Option('--kind <kind>', 'only tasks of this kind').choices(taskKindNames))
    .option('--limit <n>', 'the maximum number of tasks (default: 20)', word.positive)
    .action((options: { kind?: TaskKind; limit?: number }) =>
      run(async (command) => (await import('../verbs/tasks.ts')).listTasks(command, options)),
    )
  for (const [action, description] of [
    ['stop', 'stop a task, and wait until it has stopped'],
    ['pause', 'pause a task; it keeps its progress, also when Loupe is closed'],
    ['resume', 'continue a task that was paused, stopped or interrupted, or that failed, and wait until it ends'],
  ] as const) {
    tasks
      .command(action)
      .argument('<task>', 'the number of a task', word.positive)
      .description(description)
      .action((task: number) =>
        run(async (command) => (await import('../verbs/tasks.ts')).actOnTask(command, action, task)),
      )
  }
}
