/** The verb `loupe audit-pages`: opens pages of a job in a hidden browser, and tells what they lack. */
import { Fault } from '../../../contract/calls/faults.ts'
import type { Loupe } from '../../../contract/contract.ts'
import type {
  AuditedPage,
  PageAuditRequest,
  PageAuditSummary,
  PageSampling,
} from '../../../contract/services/pageAudits.ts'
import { notComparedMessage } from '../../../contract/services/pageAudits.ts'
import { auditedPageStates } from '../../../contract/states/auditedPageStates.ts'
import { message } from '../../../contract/words/message.ts'
import { textFor, textOf } from '../../../contract/words/render.ts'
import { figures } from '../output/figures.ts'
import { plainText, table } from '../output/output.ts'
import type { Command, ExitCode } from '../session/command.ts'
import { allRows } from '../session/allRows.ts'
import { followed, followedTask } from './following.ts'

export interface AuditPagesOptions {
  sample?: PageSampling
  pattern?: string
  atOnce?: number
  pageTime?: number
  compareWith?: PageAuditRequest['compareWith']
}

export async function auditPages(command: Command, job: number, options: AuditPagesOptions): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const { sample, pattern, atOnce, pageTime, compareWith } = options
    const begun = await services.pageAudits.start({
      job,
      ...(sample && { sampling: sample }),
      ...(pattern !== undefined && { pattern }),
      ...(atOnce !== undefined && { pagesAtOnce: atOnce }),
      ...(pageTime !== undefined && { pageSecondsMax: pageTime }),
      ...(compareWith !== undefined && { compareWith }),
    })
    command.output.note(textFor('cli.pageAudit.begun', { audit: begun.task, job }))
    const ended = await followed(command, followedTask(services.tasks, services.pageAudits, begun, progressText))
    return reported(command, services, ended)
  })
}

/** Prints the result of an audit that has ended. */
async function reported(command: Command, services: Loupe, ended: PageAuditSummary): Promise<ExitCode> {
  const { task: audit, state, findings } = ended
  if (state === 'FAILED') throw new Fault(ended.code ?? 'internal', ended.problem ?? message('cli.tasks.failed'))
  const pages = await allPages(services, audit)
  command.output.result({ audit: ended, pages }, () => pagesText(pages.filter(isFaulty)))
  const { good, bad, missing } = ended.figures
  command.output.note(textFor('cli.pageAudit.done', { pages: ended.filesDone, faulty: findings, good, bad, missing }))
  if (ended.pagesLeftOut > 0) command.output.note(textFor('cli.pageAudit.leftOut', { count: ended.pagesLeftOut }))
  for (const line of notCompared(pages)) command.output.note(line)
  for (const file of ended.files) command.output.note(textFor('cli.pageAudit.kept', { file }))
  if (state === 'STOPPED' || state === 'PAUSED') return 130
  return findings === 0 ? 0 : 1
}

async function allPages({ pageAudits }: Loupe, audit: number): Promise<AuditedPage[]> {
  return (await allRows((page) => pageAudits.pages({ audit, ...page }))).rows
}

function isFaulty({ state, missing, bad, consoleErrors, status }: AuditedPage): boolean {
  return state === 'FAILED' || missing + bad + consoleErrors > 0 || (status ?? 0) >= 400
}

/** One sentence for each reason why pages were not compared. */
function notCompared(pages: readonly AuditedPage[]): string[] {
  const byReason = Map.groupBy(pages, ({ notCompared: why }) => why)
  return [...byReason].flatMap(([why, { length: count }]) =>
    why === null ? [] : [textFor('cli.pageAudit.notCompared', { count, reason: notComparedMessage(why) })],
  )
}

function pagesText(pages: readonly AuditedPage[]): string {
  if (pages.length === 0) return textFor('cli.pageAudit.none')
  return table(
    ['>risk', '>status', '>missing', '>bad', '>errors', '>pixels', '>text', 'url', 'state'],
    pages.map((page) => [
      ...[page.risk.toFixed(1), page.status ?? '', page.missing, page.bad, page.consoleErrors],
      ...[percent(page.pixelDifference), percent(page.textDifference), plainText(page.url)],
      page.failure
        ? textOf(message(`pageAudit.failure.${page.failure}`))
        : textOf(auditedPageStates.rows[page.state].badge),
    ]),
  )
}

function percent(part: number | null): string {
  return part === null ? '' : `${(part * 100).toFixed(1)} %`
}

function progressText({ filesDone: done, filesTotal: total, findings }: PageAuditSummary): string {
  return figures([message('figure.pagesOf', { done, total }), message('figure.faultyPages', { count: findings })])
}
