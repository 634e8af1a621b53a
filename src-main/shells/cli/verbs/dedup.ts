/** The verbs `loupe dedup report|references|verify`: what deduplication saved, what refers to what, and what does not resolve. */
import type { Loupe } from '../../../contract/contract.ts'
import type { deduplicationGroups } from '../../../contract/shapes/choices.ts'
import type { Message } from '../../../contract/words/message.ts'
import { textFor, textOf } from '../../../contract/words/render.ts'
import { bytesText, momentText, table, type Output } from '../output/output.ts'
import { unlessStopped, type Command, type ExitCode } from '../session/command.ts'
import { allRows } from '../session/allRows.ts'

/** Options of `references`; `jobs` are those that refer, `contentOf` is the job whose files are referred to. */
export interface References {
  jobs?: number[]
  file?: string
  contentOf?: number
}

type Group = (typeof deduplicationGroups)[number]

export async function report(
  command: Command,
  { jobs, by = 'job' }: { jobs?: number[]; by?: Group },
): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const found = await unlessStopped(command.signal, services.deduplication.report({ by, ...(jobs && { jobs }) }))
    const heading = { job: '>job', host: 'host', type: 'mediaType' } as const
    command.output.result(found, () =>
      [
        textFor('cli.dedup.report', { count: found.captures, bytes: bytesText(found.bytes) }),
        ...(found.rows.length === 0
          ? []
          : [
              table(
                [heading[by], '>captures', '>saved'],
                found.rows.map(({ name, captures, bytes }) => [
                  name ?? textFor('cli.dedup.noJob'),
                  captures,
                  bytesText(bytes),
                ]),
              ),
            ]),
      ].join('\n'),
    )
    return noted(command.output, found.filesMissing)
  })
}

export async function references(command: Command, { jobs, file, contentOf }: References): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const asked = {
      ...(jobs && { jobs }),
      ...(file !== undefined && { file }),
      ...(contentOf !== undefined && { fileJob: contentOf }),
    }
    const found = await unlessStopped(command.signal, allReferences(services, asked))
    command.output.result(found, () =>
      found.rows.length === 0
        ? textFor('cli.dedup.references.none')
        : table(
            ['file', '>job', '>referredBy', '>captures', '>onlyHere', '>saved'],
            found.rows.map((row) => [
              ...[row.file, row.fileJob ?? textFor('cli.dedup.noJob'), row.job ?? textFor('cli.dedup.noJob')],
              ...[row.captures, row.onlyHere, bytesText(row.bytes)],
            ]),
          ),
    )
    return noted(command.output, found.filesMissing)
  })
}

type ReferencesCall = Loupe['deduplication']['references']

async function allReferences(
  { deduplication }: Pick<Loupe, 'deduplication'>,
  asked: Omit<Parameters<ReferencesCall>[0], 'limit' | 'offset'>,
): ReturnType<ReferencesCall> {
  return allRows((page) => deduplication.references({ ...asked, ...page }))
}

export async function verify(command: Command, { jobs }: { jobs?: number[] }): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const found = await unlessStopped(command.signal, services.deduplication.verify({ ...(jobs && { jobs }) }))
    const { rows, total } = found.unresolved
    command.output.result(found, () =>
      [
        ...rows.map(({ url, captured, file, why }) =>
          textFor('cli.dedup.unresolved', { url, captured: momentText(captured, ''), file, why }),
        ),
        ...(total > rows.length ? [textFor('cli.dedup.unresolved.more', { count: total - rows.length })] : []),
        textFor('cli.dedup.verified', { resolved: found.resolved, unresolved: total }),
      ].join('\n'),
    )
    const code = noted(command.output, found.filesMissing)
    return total > 0 ? 1 : code
  })
}

/** Names the files that could not be read: without them the answer is incomplete. */
function noted(output: Output, filesMissing: readonly { name: string; reason: Message }[]): ExitCode {
  for (const { name, reason } of filesMissing)
    output.note(textFor('cli.dedup.fileMissing', { name, reason: textOf(reason) }))
  return filesMissing.length > 0 ? 1 : 0
}
