/** The verb `loupe batch`: runs a module or a built-in batch job over the files of the archive. */
import { resolve } from 'node:path'
import { nearest } from '../../../contract/text/nearest.ts'
import type { BatchRequest, BatchRunSummary } from '../../../contract/services/batch.ts'
import type { Loupe } from '../../../contract/contract.ts'
import { Fault } from '../../../contract/calls/faults.ts'
import { taskStates } from '../../../contract/states/taskStates.ts'
import { badgeOf } from '../output/copyText.ts'
import type { Command, ExitCode } from '../session/command.ts'
import { figures, paceValues, rate, remaining } from '../output/figures.ts'
import { momentText, plainText, table } from '../output/output.ts'
import { followed, followedTask } from './following.ts'
import { message, type Message } from '../../../contract/words/message.ts'
import { textFor, textOf } from '../../../contract/words/render.ts'

export interface BatchOptions {
  files?: string
  jobs?: number[]
  kind?: BatchRequest['kind']
  replica?: string
  timeout?: number
  fileTimeout?: number
}

/** Limit on the error text printed at once; all errors are in their file. */
const errorsShownMax = 2_000

export async function runBatch(command: Command, module: string, options: BatchOptions): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const { timeout, fileTimeout, ...chosen } = options
    const begun = await services.batch.start({
      ...chosen,
      module: await meant(services, module),
      ...(timeout !== undefined && { timeoutSeconds: timeout }),
      ...(fileTimeout !== undefined && { fileTimeoutSeconds: fileTimeout }),
    })
    const { task } = begun
    command.output.note(textFor('cli.batch.begun', { run: task, name: begun.name, files: begun.filesTotal }))
    const beganMs = performance.now()
    const ended = await followed(command, followedTask(services.tasks, services.batch, begun, progressText))
    await reportRun(command, services, ended, (performance.now() - beganMs) / 1000)
    if (ended.state === 'STOPPED') return 130
    if (ended.state === 'FAILED')
      throw new Fault(
        ended.code ?? 'internal',
        message('cli.batch.failed', {
          problem: ended.problem ?? message('cli.tasks.failed'),
          file: ended.errors,
        }),
      )
    return ended.findings === 0 ? 0 : 1
  })
}

/** Resolves the name of a built-in batch job, or a path relative to the current folder. */
async function meant(services: Loupe, module: string): Promise<string> {
  const known = (await services.batch.builtIns({})).map(({ name }) => name)
  if (known.includes(module)) return module
  if (module.endsWith('.mjs')) return resolve(module)
  const near = nearest(module, known)
  const asked = { module, known: known.join(', ') }
  throw new Fault(
    'notFound',
    near === undefined ? message('batch.module.unknown', asked) : message('cli.batch.unknown.near', { ...asked, near }),
  )
}

async function reportRun(
  { output, debug }: Command,
  services: Loupe,
  ended: BatchRunSummary,
  seconds: number,
): Promise<void> {
  const { task, state, filesDone: processed, findings: failed, filesTotal, bytesDone, output: out, errors } = ended
  const problem = ended.problem && textOf(ended.problem)
  if (output.json) output.result({ processed, failed, output: out, errors, task, state, problem, filesTotal }, () => '')
  else await printed(output, services, task)
  if (ended.figures.errorBytes > 0) {
    const { text } = await services.batch.output({ task, of: 'errors', limit: errorsShownMax })
    // The error that ended the run is reported as its end; the frames of a stack are indented.
    const isShown = (line: string) => debug || !(line.startsWith(' ') || (problem !== null && line.endsWith(problem)))
    for (const line of text.trimEnd().split('\n').filter(isShown)) output.note(plainText(line))
    output.note(textFor('cli.batch.errors', { file: errors }))
  }
  output.note(
    textFor(state === 'STOPPED' ? 'cli.batch.stopped' : 'cli.batch.done', {
      ...{ done: processed, total: filesTotal, failed, output: out },
      ...paceValues(bytesDone, seconds),
    }),
  )
}

/** Prints the output as it was written: it may be a table for another program. */
async function printed(output: Command['output'], services: Loupe, task: number): Promise<void> {
  for (let offset = 0, total = 1; offset < total;) {
    const piece = await services.batch.output({ task, offset, limit: 1_048_576 })
    if (piece.text !== '') await output.part(piece.text)
    total = piece.next > offset ? piece.bytesTotal : offset
    offset = piece.next
  }
}

function progressText({ filesDone, filesTotal, findings, bytesDone, bytesTotal }: BatchRunSummary, seconds: number) {
  const bytesPerSecond = bytesDone / Math.max(seconds, 0.1)
  return figures([
    message('figure.filesOf', { done: filesDone, total: filesTotal }),
    message('figure.failed', { count: findings }),
    rate(bytesPerSecond),
    remaining(bytesTotal - bytesDone, bytesPerSecond),
  ])
}

export async function listBatch(command: Command): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const builtIns = await services.batch.builtIns({})
    const runs = await services.batch.list({})
    command.output.result({ builtIns, runs }, () => listText(builtIns, runs))
    return 0
  })
}

function listText(builtIns: { name: string; does: Message }[], runs: BatchRunSummary[]): string {
  const rows = runs.map((row) => [
    row.task,
    row.name,
    badgeOf(taskStates, row.state),
    momentText(row.started, ''),
    row.filesDone,
    row.findings,
    row.output,
  ])
  return [
    table(
      ['builtIn', 'description'],
      builtIns.map(({ name, does }) => [name, textOf(does)]),
    ),
    ...(runs.length === 0
      ? []
      : ['', table(['>run', 'name', 'state', 'started', '>processed', '>failed', 'output'], rows)]),
  ].join('\n')
}
