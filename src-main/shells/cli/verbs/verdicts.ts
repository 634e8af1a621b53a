/** The verbs `loupe verdict set|list|store`: what users say about the quality of archived pages. */
import type { JudgedPages, PageVerdict, VerdictValue } from '../../../contract/services/verdicts.ts'
import { textFor } from '../../../contract/words/render.ts'
import { plainText, table } from '../output/output.ts'
import { allRows } from '../session/allRows.ts'
import { unlessStopped, type Command, type ExitCode } from '../session/command.ts'

export interface SetOptions {
  note?: string
}

/** Gives pages a verdict; no URL: the whole job. Resolves when a file of the job has it. */
export async function setVerdict(
  command: Command,
  { job, verdict, urls }: { job: number; verdict: VerdictValue | 'none'; urls: readonly string[] },
  { note }: SetOptions,
): Promise<ExitCode> {
  return command.withSession('looks', async ({ services: { verdicts } }) => {
    const given = { job, urls: urls.length === 0 ? [''] : [...urls], verdict: verdict === 'none' ? null : verdict }
    await verdicts.set({ ...given, ...(note !== undefined && { note }) })
    const stored = await unlessStopped(command.signal, verdicts.store({ job }))
    command.output.result(stored, () =>
      textFor('cli.verdict.set', { count: given.urls.length, file: stored.file ?? '' }),
    )
    return 0
  })
}

/** Writes verdicts that no file has into a file of the job. */
export async function storeVerdicts(command: Command, job: number): Promise<ExitCode> {
  return command.withSession('looks', async ({ services: { verdicts } }) => {
    const stored = await unlessStopped(command.signal, verdicts.store({ job }))
    command.output.result(stored, () =>
      stored.file === null ? textFor('cli.verdict.nothing') : textFor('cli.verdict.stored', { file: stored.file }),
    )
    return 0
  })
}

export async function listVerdicts(
  command: Command,
  job: number,
  options: { verdict?: VerdictValue },
): Promise<ExitCode> {
  return command.withSession('looks', async ({ services: { verdicts } }) => {
    const listing = allRows((page) => verdicts.list({ job, ...options, ...page }))
    const { rows } = await unlessStopped(command.signal, listing)
    const progress = await verdicts.progress({ job })
    command.output.result({ verdicts: rows, progress }, () => listText(rows, progress))
    return 0
  })
}

function listText(rows: readonly PageVerdict[], { ofJob, audited, auditedJudged, ...counts }: JudgedPages): string {
  const { good, minor, bad, unusable } = counts
  const lines = [
    ...(ofJob ? [textFor('cli.verdict.ofJob', { verdict: textFor(`verdict.${ofJob.verdict}`), note: plainText(ofJob.note) })] : []), // prettier-ignore
    textFor('cli.verdict.counts', { good, minor, bad, unusable }),
    ...(audited === null ? [] : [textFor('cli.verdict.progress', { judged: auditedJudged, audited })]),
  ]
  if (rows.length === 0) return lines.join('\n')
  const listed = rows.map(({ url, verdict, note, author, judged }) => [
    ...[textFor(`verdict.${verdict}`), plainText(url), plainText(note), author, judged],
  ])
  return [lines.join('\n'), table(['verdict', 'url', 'note', 'by', 'time'], listed)].join('\n\n')
}
