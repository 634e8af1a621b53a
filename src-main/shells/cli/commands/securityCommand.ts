/** Arguments and options of `loupe security`. */
import type { Command as Program } from 'commander'
import { tokenLevels } from '../../../contract/shapes/choices.ts'
import { textFor } from '../../../contract/words/render.ts'
import { choiceOption } from '../input/choices.ts'
import * as word from '../input/optionValues.ts'
import type { Run } from '../session/command.ts'
import type { DecideOptions, RuleOptions } from '../verbs/security.ts'

const verbs = () => import('../verbs/security.ts')

/** Adds `loupe security`. */
export function addSecurityVerbs(program: Program, run: Run): void {
  const group = program.command('security').description(textFor('help.security'))
  group
    .command('list')
    .description(textFor('help.security.list'))
    .option('--job <number>', textFor('help.security.list.job'), word.positive)
    .action((options: { job?: number }) => run(async (command) => (await verbs()).listRules(command, options)))
  group
    .command('set')
    .description(textFor('help.security.set'))
    .requiredOption('--group <name>', textFor('help.security.group'))
    .option('--allow <token>', textFor('help.security.allow'), word.several)
    .option('--deny <token>', textFor('help.security.deny'), word.several)
    .option('--job <number>', textFor('help.security.job'), word.positive)
    .option('--prefix <surt>', textFor('help.security.prefix'))
    .addOption(choiceOption('--level <level>', textFor('help.security.level'), tokenLevels).default('share'))
    .action((options: RuleOptions) => run(async (command) => (await verbs()).setRule(command, options)))
  group
    .command('remove')
    .argument('<rule>', textFor('help.security.rule'), word.positive)
    .description(textFor('help.security.remove'))
    .action((rule: number) => run(async (command) => (await verbs()).removeRule(command, rule)))
  group
    .command('show')
    .argument('<user>', textFor('help.authorities.user'))
    .argument('<url>', textFor('help.security.url'))
    .description(textFor('help.security.show'))
    .option('--job <number>', textFor('help.security.show.job'), word.positive)
    .option('--domain <name>', textFor('help.authorities.show.domain'), '')
    .action((user: string, url: string, options: DecideOptions) =>
      run(async (command) => (await verbs()).showDecision(command, { user, url }, options)),
    )
}
