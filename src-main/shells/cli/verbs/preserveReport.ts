/** The verbs `loupe preserve report|audit`: documents with which a curator can prove the state of the archive. */
import { stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { AuditEntry } from '../../../contract/services/audit.ts'
import { actionMessage, actorMessage } from '../../../contract/services/auditLabels.ts'
import type { reportFormats } from '../../../contract/shapes/choices.ts'
import { Fault } from '../../../contract/calls/faults.ts'
import { unlessStopped, type Command, type ExitCode } from '../session/command.ts'
import { momentText, originText, plainText, table } from '../output/output.ts'
import { systemErrorText } from '../input/systemErrorText.ts'
import { message } from '../../../contract/words/message.ts'
import { textFor, textOf } from '../../../contract/words/render.ts'

export interface ReportOptions {
  /** Output format. Undefined: HTML. */
  format: (typeof reportFormats)[number] | undefined
  destination: string | undefined
}

/** Default number of entries, and the maximum of one answer. */
const entriesShown = 50
const entriesMax = 1000

export async function report(command: Command, { format: wanted, destination }: ReportOptions): Promise<ExitCode> {
  if (command.output.json && destination === undefined && wanted !== undefined && wanted !== 'json')
    throw new Fault('badInput', message('cli.option.formatOfJson', { format: wanted }))
  const format = wanted ?? 'html'
  return command.withSession('looks', async ({ services }) => {
    const made = await unlessStopped(command.signal, services.archive.report({ format }))
    if (destination === undefined) command.output.result(made.data, () => made.text.trimEnd())
    else {
      const path = await written(destination, made)
      const { at, fine } = made.data
      command.output.result({ path, format, at, fine }, () => textFor('cli.report.wrote', { path }))
    }
    return made.data.fine ? 0 : 1
  })
}

/** Writes a report. An earlier report is evidence, so it is never overwritten. */
async function written(destination: string, { name, text }: { name: string; text: string }): Promise<string> {
  const asked = resolve(destination)
  const isFolder = await stat(asked).then(
    (found) => found.isDirectory(),
    (error: unknown) => {
      if (codeOf(error) === 'ENOENT') return false
      throw error
    },
  )
  const path = isFolder ? join(asked, name) : asked
  try {
    await writeFile(path, text, { flag: 'wx' })
  } catch (error) {
    const code = codeOf(error)
    if (code === 'EEXIST') throw new Fault('refused', message('cli.exists', { path }), { cause: error })
    if (code === 'ENOENT') throw new Fault('notFound', message('cli.noFolderFor', { path }), { cause: error })
    if (code === 'EACCES' || code === 'EPERM')
      throw new Fault('notAllowed', message('cli.unwritable', { path, problem: systemErrorText(error) }), {
        cause: error,
      })
    if (code === 'ENOSPC') throw new Fault('noSpace', message('cli.full', { path }), { cause: error })
    throw error
  }
  return path
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}

export async function auditLog(command: Command, limit = entriesShown): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const { rows, total } = await services.archive.auditLog({ limit: Math.min(limit, entriesMax) })
    command.output.result({ rows, total }, () => {
      const shown = rows.map((row) => [
        row.number,
        momentText(row.at, ''),
        textOf(actorMessage(row.who)),
        originText(row),
        textOf(actionMessage(row.what)),
        row.subject,
        changeText(row),
      ])
      const title = textFor('cli.audit.entries', { count: total })
      return [title, table(['>entry', 'when', 'who', 'accountAndShell', 'what', 'subject', 'change'], shown)].join('\n')
    })
    return 0
  })
}

function changeText({ was, became }: AuditEntry): string {
  const change = became === null ? '' : JSON.stringify(became)
  return plainText(was === null ? change : `${JSON.stringify(was)} -> ${change}`)
}

export async function verifyAudit(command: Command): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const verdict = await unlessStopped(command.signal, services.archive.verifyAudit({}))
    command.output.result(verdict, () =>
      [
        textOf(verdict.message),
        ...(verdict.head === null ? [] : [textFor('report.auditHead', { hash: verdict.head })]),
      ].join('\n'),
    )
    return verdict.whole ? 0 : 1
  })
}
