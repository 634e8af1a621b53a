/** The verbs `loupe harvests jobs|errors|explain|resubmit|reject|unreject`: jobs that harvests generated. */
import type { GeneratedJobRow } from '../../../contract/services/generatedJobs.ts'
import {
  generatedLabel,
  type GeneratedAction,
  type GeneratedStatus,
} from '../../../contract/states/generatedStatuses.ts'
import { textFor, textOf } from '../../../contract/words/render.ts'
import { bytesText, momentText, table } from '../output/output.ts'
import type { Command, ExitCode } from '../session/command.ts'

export interface GeneratedFilter {
  status?: GeneratedStatus
  harvest?: number
  run?: number
  domain?: string
  from?: number
  to?: number
}

/** Rows that are listed. */
const rowsMax = 1_000

export async function listGeneratedJobs(command: Command, filter: GeneratedFilter): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const { rows, total } = await services.generatedJobs.list({ ...filter, offset: 0, limit: rowsMax })
    command.output.result(rows, () => (rows.length === 0 ? textFor('cli.generated.none') : jobsTable(rows)))
    if (total > rows.length) command.output.note(textFor('cli.generated.more', { shown: rows.length, total }))
    return rows.some(({ status }) => status === 'FAILED') ? 1 : 0
  })
}

/** Shows the long form of a job's errors. The exit code is 1 if it has any. */
export async function showErrors(command: Command, job: number): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const errors = await services.generatedJobs.errors({ job })
    const { harvest, upload } = errors
    const part = (title: string, lines: typeof harvest) =>
      lines.length === 0
        ? []
        : [title, ...lines.map(({ at, message }) => `  ${momentText(at, '')}  ${textOf(message)}`)]
    command.output.result(errors, () => {
      const lines = [
        ...part(textFor('cli.generated.errors.harvest'), harvest),
        ...part(textFor('cli.generated.errors.upload'), upload),
      ]
      return lines.length === 0 ? textFor('cli.generated.errors.none', { job }) : lines.join('\n')
    })
    return harvest.length + upload.length > 0 ? 1 : 0
  })
}

export async function explainSplit(command: Command, job: number): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const explanation = await services.generatedJobs.explain({ job, offset: 0, limit: rowsMax })
    command.output.result(explanation, () => {
      const { rows, next } = explanation
      const lines = rows.flatMap(({ domain, configuration, objectsExpected, estimate }) => [
        textFor('cli.generated.configuration', { domain, configuration, objects: objectsExpected }),
        ...estimate.map((step) => `    ${textOf(step)}`),
      ])
      const after = next === null ? textFor('cli.generated.last') : textFor('cli.generated.next', next)
      return [...lines, after].join('\n')
    })
    return 0
  })
}

export async function actOnGeneratedJob(command: Command, action: GeneratedAction, job: number): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const row = await services.generatedJobs[action]({ job })
    command.output.result(row, () => jobsTable([row]))
    return 0
  })
}

function jobsTable(rows: readonly GeneratedJobRow[]): string {
  return table(
    ['>job', 'harvest', '>run', 'status', '>configurations', '>expected', '>objects', '>bytes'],
    rows.map((row) => [
      ...[row.job, row.harvestName, row.run, textOf(generatedLabel(row.status)), row.configurations],
      ...[row.objectsExpected, row.objects, bytesText(row.bytes)],
    ]),
  )
}
