/** The verbs `loupe outputs connectors|register|deregister`: modules of the user that take documents. */
import { resolve } from 'node:path'
import { outputConnectorStates } from '../../../contract/states/outputStates.ts'
import { textFor, textOf } from '../../../contract/words/render.ts'
import { table } from '../output/output.ts'
import type { Command, ExitCode } from '../session/command.ts'

export async function listOutputConnectors(command: Command): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const rows = await services.outputs.connectors({})
    command.output.result(rows, () =>
      rows.length === 0
        ? textFor('cli.outputs.connectors.none')
        : table(
            ['name', 'state', '>version', '>outputs', 'module', 'problem'],
            rows.map(({ name, state, version, outputs, module, problem }) => [
              ...[name, textOf(outputConnectorStates.rows[state].badge), version ?? '', outputs, module],
              problem ? textOf(problem) : '',
            ]),
          ),
    )
    return 0
  })
}

export async function registerConnector(command: Command, name: string, module: string): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    // An absolute path: the engine may have another working folder.
    const row = await services.outputs.register({ name, module: resolve(module) })
    command.output.result(row, () => textFor('cli.outputs.connector.registered', { name, version: row.version ?? '' }))
    return 0
  })
}

export async function deregisterConnector(command: Command, name: string): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    await services.outputs.deregister({ name })
    command.output.result({ deregistered: name }, () => textFor('cli.outputs.connector.deregistered', { name }))
    return 0
  })
}
