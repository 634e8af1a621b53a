/** The verb `loupe tasks`: lists tasks, and stops, pauses and resumes them. */
import type { Loupe } from '../../../contract/contract.ts'
import { Fault } from '../../../contract/calls/faults.ts'
import type { TaskSummary } from '../../../contract/services/tasks.ts'
import { taskKinds, taskStages, type TaskKind } from '../../../contract/shapes/taskKinds.ts'
import { isActiveTask, taskStates } from '../../../contract/states/taskStates.ts'
import { badgeOf } from '../output/copyText.ts'
import { bytesText, durationText, momentText, table } from '../output/output.ts'
import type { Command, ExitCode } from '../session/command.ts'
import { followed, followedTask } from './following.ts'
import { message } from '../../../contract/words/message.ts'
import { textFor, textOf } from '../../../contract/words/render.ts'

/** Tasks listed unless the user asks for more: those of the last days, on one screen. */
const listedUsually = 20

export async function listTasks(command: Command, options: { kind?: TaskKind; limit?: number }): Promise<ExitCode> {
  return command.withSession('looks', async ({ services, own }) => {
    const rows = await services.tasks.list({ limit: listedUsually, ...options })
    if (own && rows.some(isActiveImport)) command.output.note(textFor('cli.idle.jobs'))
    command.output.result(rows, () => (rows.length === 0 ? textFor('cli.tasks.none') : tasksText(rows)))
    return 0
  })
}

/** Stops, pauses or resumes a task. A resumed task is followed, because it may run in this process; but an import is a job, which is
 *  worked on only by an engine that another command keeps open. */
export async function actOnTask(
  command: Command,
  action: 'stop' | 'pause' | 'resume',
  task: number,
): Promise<ExitCode> {
  return command.withSession('looks', async ({ services: { tasks }, own }) => {
    const changed = await tasks[action]({ task })
    const isIdle = own && isActiveImport(changed)
    if (isIdle) command.output.note(textFor('cli.idle.job'))
    const row = action === 'resume' && !isIdle ? await followedToEnd(command, tasks, changed) : changed
    command.output.result(row, () => tasksText([row]))
    if (row.state === 'FAILED') throw new Fault(row.code ?? 'internal', row.problem ?? message('cli.tasks.failed'))
    return 0
  })
}

function isActiveImport({ kind, state }: TaskSummary): boolean {
  return kind === 'import' && isActiveTask(state)
}

async function followedToEnd(command: Command, tasks: Loupe['tasks'], begun: TaskSummary): Promise<TaskSummary> {
  const list = () => tasks.list({ kind: begun.kind })
  return followed(command, followedTask(tasks, { list }, begun, progressText))
}

function tasksText(rows: readonly TaskSummary[]): string {
  return table(
    ['>task', 'kind', 'state', 'started', '>files', '>bytes', '>time', 'subject'],
    rows.map((row) => [
      row.task,
      textOf(taskKinds[row.kind]),
      stateText(row),
      momentText(row.started, ''),
      `${row.filesDone}/${row.filesTotal}`,
      bytesText(row.bytesDone),
      durationText(row.runningMs / 1_000),
      textOf(row.subject),
    ]),
  )
}

/** The state, with the stage while the task runs, or why it ended. */
function stateText({ state, stage, problem }: TaskSummary): string {
  const badge = badgeOf(taskStates, state)
  if (problem) return `${badge}: ${textOf(problem)}`
  return state === 'RUNNING' && stage ? `${badge}: ${textOf(taskStages[stage]).toLowerCase()}` : badge
}

function progressText({ bytesDone, bytesTotal, filesDone, filesTotal }: TaskSummary): string {
  return `${filesDone}/${filesTotal}, ${bytesText(bytesDone)}/${bytesText(bytesTotal)}`
}
