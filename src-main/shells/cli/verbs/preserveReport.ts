/** The verbs `loupe preserve report|audit`: documents with which a curator can prove the state of the archive. */
import type { AuditEntry } from '../../../contract/services/audit.ts'
import { actionMessage, actorMessage } from '../../../contract/services/auditLabels.ts'
import type { reportFormats } from '../../../contract/shapes/choices.ts'
import { Fault } from '../../../contract/calls/faults.ts'
import { unlessStopped, type Command, type ExitCode } from '../session/command.ts'
import { momentText, originText, plainText, table } from '../output/output.ts'
import { writtenReport } from './writtenReport.ts'
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
      const path = await writtenReport(destination, made)
      const { at, fine } = made.data
      command.output.result({ path, format, at, fine }, () => textFor('cli.report.wrote', { path }))
    }
    return made.data.fine ? 0 : 1
  })
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
