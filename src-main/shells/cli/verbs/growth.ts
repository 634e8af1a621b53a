/** The verb `loupe growth`: captures and their bytes over time, as a table, as CSV, or as one JSON document. */
import type { Loupe } from '../../../contract/contract.ts'
import { textFor, textOf } from '../../../contract/words/render.ts'
import { csvRow } from '../../../files/export/csvOut.ts'
import { selectionIn, type SelectionWords } from '../input/selectionOptions.ts'
import { bytesText, table } from '../output/output.ts'
import { unlessStopped, type Command, type ExitCode } from '../session/command.ts'

type Asked = Parameters<Loupe['growth']['overTime']>[0]
type Found = Awaited<ReturnType<Loupe['growth']['overTime']>>

/** Options of the verb. */
export interface GrowthOptions extends SelectionWords {
  domain?: string
  period?: NonNullable<Asked['period']>
  by?: NonNullable<Asked['by']>
  groups?: number
  cumulative?: true
  csv?: true
}

export async function growth(command: Command, options: GrowthOptions): Promise<ExitCode> {
  const { domain, period, by, groups, cumulative, csv } = options
  return command.withSession('looks', async ({ services }) => {
    const asked = {
      ...(selectionIn(options) ?? { jobs: [], files: [], all: true }),
      ...(domain !== undefined && { domain }),
      ...(period && { period }),
      ...(by && { by }),
      ...(groups !== undefined && { groupsMax: groups }),
      ...(cumulative && { isCumulative: true }),
    }
    const found = await unlessStopped(command.signal, services.growth.overTime(asked))
    if (csv) await command.output.part(csvOf(found))
    else command.output.result(found, () => textOfGrowth(found))
    for (const { name, reason } of found.filesMissing)
      command.output.note(textFor('cli.dedup.fileMissing', { name, reason: textOf(reason) }))
    return found.filesMissing.length > 0 ? 1 : 0
  })
}

interface Line {
  period: string
  group: string
  captures: number
  bytes: number
}

/** A line per period and group. */
function linesOf({ groups, rows }: Found): Line[] {
  return rows.flatMap(({ period, amounts }) =>
    amounts.map((amount, at) => ({ period, group: groupText(groups[at]?.name ?? null, groups.length), ...amount })),
  )
}

function groupText(name: string | null, groups: number): string {
  if (name === null) return textFor(groups === 1 ? 'cli.growth.all' : 'cli.growth.others')
  return name === '' ? textFor('cli.growth.unknown') : name
}

function csvOf(found: Found): string {
  const lines = linesOf(found).map(({ period, group, captures, bytes }) => csvRow([period, group, captures, bytes]))
  return [csvRow(['period', 'group', 'captures', 'bytes']), ...lines].join('')
}

function textOfGrowth(found: Found): string {
  if (found.captures === 0) return textFor('cli.growth.none')
  const cells = linesOf(found)
    .filter(({ captures }) => captures > 0)
    .map(({ period, group, captures, bytes }) => [period, group, captures, bytesText(bytes)])
  return [
    table(['period', 'group', '>captures', '>size'], cells),
    textFor('cli.growth.total', { count: found.captures, bytes: bytesText(found.bytes) }),
  ].join('\n')
}
