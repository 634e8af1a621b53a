/** The verbs `loupe overlays list|on|off|rename`: captures of patch jobs that the viewer shows with the jobs that they patch. */
import type { Overlay } from '../../../contract/services/overlays.ts'
import { textFor } from '../../../contract/words/render.ts'
import { plainText, table } from '../output/output.ts'
import type { Command, ExitCode } from '../session/command.ts'

export async function listOverlays(command: Command, jobs: number[]): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const overlays = await services.overlays.list({ jobs })
    command.output.result(overlays, () => listText(overlays))
    return 0
  })
}

function listText(overlays: readonly Overlay[]): string {
  if (overlays.length === 0) return textFor('cli.overlays.none')
  const rows = overlays.map(({ patches, job, name, isOn, created }) => [
    ...[patches, job, plainText(name), textFor(isOn ? 'cli.overlays.on' : 'cli.overlays.off'), created],
  ])
  return table(['>job', '>patchJob', 'name', 'state', 'created'], rows)
}

/** Switches an overlay on or off, or renames it. */
export async function changeOverlay(
  command: Command,
  { patches, job }: { patches: number; job: number },
  change: { isOn?: boolean; name?: string },
): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const overlay = await services.overlays.change({ patches, job, ...change })
    command.output.result(overlay, () => listText([overlay]))
    return 0
  })
}
