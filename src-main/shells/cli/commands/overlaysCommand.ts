/** Arguments of `loupe overlays`: captures of patch jobs that the viewer shows with the jobs that they patch. */
import type { Command as Program } from 'commander'
import { textFor } from '../../../contract/words/render.ts'
import * as word from '../input/optionValues.ts'
import type { Run } from '../session/command.ts'

const overlays = () => import('../verbs/overlays.ts')
const patched = ['<job>', textFor('help.overlays.job'), word.jobNumber] as const
const patch = ['<patch-job>', textFor('help.overlays.patchJob'), word.jobNumber] as const

export function addOverlayVerbs(program: Program, run: Run): void {
  const group = program.command('overlays').description(textFor('help.overlays'))
  group
    .command('list')
    .argument('<jobs>', textFor('help.missing.jobs'), word.jobNumbers)
    .description(textFor('help.overlays.list'))
    .action((jobs: number[]) => run(async (command) => (await overlays()).listOverlays(command, jobs)))
  for (const [verb, isOn] of [
    ['on', true],
    ['off', false],
  ] as const)
    // prettier-ignore
    group
      .command(verb)
      .argument(...patched)
      .argument(...patch)
      .description(textFor(isOn ? 'help.overlays.on' : 'help.overlays.off'))
      .action((patches: number, job: number) =>
        run(async (command) => (await overlays()).changeOverlay(command, { patches, job }, { isOn })),
      )
  group
    .command('rename')
    .argument(...patched)
    .argument(...patch)
    .argument('<name>', textFor('help.overlays.name'))
    .description(textFor('help.overlays.rename'))
    .action((patches: number, job: number, name: string) =>
      run(async (command) => (await overlays()).changeOverlay(command, { patches, job }, { name })),
    )
}
