/** Arguments of `loupe verdict`: what users say about the quality of archived pages. */
import type { Command as Program } from 'commander'
import { verdictValues, type VerdictValue } from '../../../contract/services/verdicts.ts'
import { textFor } from '../../../contract/words/render.ts'
import { choiceArgument, choiceOption } from '../input/choices.ts'
import * as word from '../input/optionValues.ts'
import type { Run } from '../session/command.ts'
import type { SetOptions } from '../verbs/verdicts.ts'

const verdicts = () => import('../verbs/verdicts.ts')
const ofJob = ['<job>', textFor('help.argument.job'), word.jobNumber] as const

export function addVerdictVerbs(program: Program, run: Run): void {
  const group = program.command('verdict').description(textFor('help.verdict'))
  group
    .command('set')
    .argument(...ofJob)
    .addArgument(choiceArgument('<verdict>', textFor('help.verdict.value'), [...verdictValues, 'none']))
    .argument('[urls...]', textFor('help.verdict.urls'))
    .description(textFor('help.verdict.set'))
    .option('--note <text>', textFor('help.verdict.note'))
    .action((job: number, verdict: VerdictValue | 'none', urls: string[], options: SetOptions) =>
      run(async (command) => (await verdicts()).setVerdict(command, { job, verdict, urls }, options)),
    )
  group
    .command('list')
    .argument(...ofJob)
    .description(textFor('help.verdict.list'))
    .addOption(choiceOption('--verdict <verdict>', textFor('help.verdict.only'), verdictValues))
    .action((job: number, options: { verdict?: VerdictValue }) =>
      run(async (command) => (await verdicts()).listVerdicts(command, job, options)),
    )
  group
    .command('store')
    .argument(...ofJob)
    .description(textFor('help.verdict.store'))
    .action((job: number) => run(async (command) => (await verdicts()).storeVerdicts(command, job)))
}
