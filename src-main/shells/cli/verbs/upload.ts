/** The verb `loupe upload`: stores files from elsewhere in every replica. It never ends with 0 when one of them is not stored. */
import { resolve } from 'node:path'
import type { Loupe } from '../../../contract/contract.ts'
import type { UploadedFile, UploadSummary } from '../../../contract/services/uploads.ts'
import { isStoredCopy } from '../../../contract/states/copyStates.ts'
import { Fault } from '../../../contract/calls/faults.ts'
import { noteUnread } from '../output/boundedNotes.ts'
import type { Command, ExitCode } from '../session/command.ts'
import { figures, rate, remaining } from '../output/figures.ts'
import { bytesText, table } from '../output/output.ts'
import { followed, followedTask } from './following.ts'
import { message, type Message } from '../../../contract/words/message.ts'
import { textFor, textOf } from '../../../contract/words/render.ts'

export async function uploadFiles(command: Command, paths: string[]): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const begun = await services.uploads.start({ paths: paths.map((path) => resolve(path)) })
    const { task, filesTotal } = begun
    noteUnread(command.output, begun)
    command.output.note(textFor('cli.upload.begun', { upload: task, files: filesTotal }))
    const ended = await followed(command, followedTask(services.tasks, services.uploads, begun, progressText))
    const files = await filesOf(services, task)
    if (ended.state === 'STOPPED') {
      command.output.note(
        textFor('cli.stopped.after', {
          figures: message('figure.filesOf', { done: ended.filesDone, total: ended.filesTotal }),
        }),
      )
      return 130
    }
    command.output.result(files, () => filesText(files))
    if (ended.problem) throw new Fault(ended.code ?? 'internal', ended.problem)
    return endOf(command, files, begun)
  })
}

async function filesOf(services: Loupe, task: number): Promise<UploadedFile[]> {
  const files: UploadedFile[] = []
  for (;;) {
    const { rows, total } = await services.uploads.files({ task, offset: files.length, limit: 1000 })
    files.push(...rows)
    if (rows.length === 0 || files.length >= total) return files
  }
}

function filesText(files: UploadedFile[]): string {
  const rows = files.map(({ name, state, bytes, replicas }) => {
    const whole = replicas.filter(isStoredCopy).map(({ replica }) => replica)
    return [name, textFor(`cli.upload.state.${state}`), bytesText(bytes), whole.join(', ')]
  })
  return table(['file', 'state', '>size', 'inReplicas'], rows)
}

/** Reports every problem; the first one decides the exit code. */
function endOf({ output }: Command, files: UploadedFile[], { unread }: UploadSummary): ExitCode {
  const [first, ...others] = files.filter(({ state }) => state !== 'stored')
  if (!first) return unread.length === 0 ? 0 : 1
  for (const other of others) output.note(textOf(notStored(other)))
  throw new Fault(first.code ?? 'internal', notStored(first))
}

function notStored({ name, problem }: UploadedFile): Message {
  return message('cli.upload.notStored', { name, problem: problem ?? message('cli.upload.notBegun') })
}

function progressText({ filesDone, filesTotal, bytesDone, bytesTotal }: UploadSummary, seconds: number): string {
  const bytesPerSecond = bytesDone / Math.max(seconds, 0.1)
  return figures([
    message('figure.fileOf', { file: Math.min(filesDone + 1, filesTotal), total: filesTotal }),
    message('figure.doneOf', { done: bytesText(bytesDone), total: bytesText(bytesTotal) }),
    rate(bytesPerSecond),
    remaining(bytesTotal - bytesDone, bytesPerSecond),
  ])
}
