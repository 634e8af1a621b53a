/** The verb `loupe metrics`: the numbers of the running engine, as text for Prometheus. */
import type { Command, ExitCode } from '../session/command.ts'

export async function printMetrics(command: Command): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const { text } = await services.monitoring.metrics({})
    command.output.result(await services.monitoring.status({}), () => text.trimEnd())
    return 0
  })
}
