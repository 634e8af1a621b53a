/** The verb `loupe job links`: the links between the hosts of a job, as a table, as JSON, or in a format of programs that draw graphs. */
import { Fault } from '../../../contract/calls/faults.ts'
import type { LinkGraph } from '../../../contract/services/linkGraph.ts'
import type { linkGraphFormats } from '../../../contract/shapes/choices.ts'
import { graphText } from '../../../contract/services/linkGraphText.ts'
import { message } from '../../../contract/words/message.ts'
import { textFor } from '../../../contract/words/render.ts'
import { csvRow } from '../../../files/export/csvOut.ts'
import { table } from '../output/output.ts'
import { unlessStopped, type Command, type ExitCode } from '../session/command.ts'

export interface JobLinksOptions {
  format?: (typeof linkGraphFormats)[number] | 'csv'
  limit?: number
}

/** Rows of the table on a terminal. */
const rowsShown = 100

export async function jobLinks(command: Command, job: number, { format, limit }: JobLinksOptions): Promise<ExitCode> {
  const { json } = command.output
  if (json && format !== undefined) throw new Fault('badInput', message('cli.option.formatOfJson', { format }))
  return command.withSession('looks', async ({ services }) => {
    const most = limit ?? (json || format !== undefined ? undefined : rowsShown)
    const asked = { job, ...(most !== undefined && { limit: most }) }
    const graph = await unlessStopped(command.signal, services.history.linkGraph(asked))
    if (format === undefined) command.output.result(graph, () => textOfGraph(graph))
    else await command.output.part(format === 'csv' ? csvOf(graph) : graphText(graph, format))
    if (graph.edgesLeftOut > 0 && !json)
      command.output.note(textFor('cli.jobLinks.leftOut', { count: graph.edgesLeftOut }))
    return 0
  })
}

function csvOf({ edges }: LinkGraph): string {
  const rows = edges.map(({ source, target, links }) => csvRow([source, target, links]))
  return [csvRow(['source', 'target', 'links']), ...rows].join('')
}

function textOfGraph({ edges, links }: LinkGraph): string {
  if (edges.length === 0) return textFor('cli.jobLinks.none')
  const cells = edges.map(({ source, target, links: count }) => [source, target, count])
  return [table(['from', 'to', '>links'], cells), textFor(`cli.jobLinks.${links}`)].join('\n')
}
