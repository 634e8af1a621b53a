/** Arguments and options of `loupe preserve repair` and `loupe preserve attic`. */
import { InvalidArgumentError, type Command as Program } from 'commander'
import type { Run } from '../session/command.ts'
import type { RepairOptions } from '../verbs/repair.ts'
import * as word from '../input/optionValues.ts'
import { textFor } from '../../../contract/words/render.ts'

export function addRepairVerbs(preserve: Program, run: Run): void {
  preserve
    .command('repair')
    .description(textFor('help.preserve.repair'))
    .option('--replica <r>', textFor('help.preserve.repair.replica'))
    .option('--files <re>', textFor('help.option.files'), word.pattern)
    .option('--expected <sha256>', textFor('help.preserve.repair.expected'), checksum)
    .option('--yes-i-have-checked', textFor('help.preserve.repair.checked'))
    .option('--set-aside-unread', textFor('help.preserve.repair.unread'))
    .addHelpText('after', textFor('help.preserve.repair.after'))
    .action((options: RepairOptions) =>
      run(async (command) => (await import('../verbs/repair.ts')).repairCopies(command, options)),
    )

  const attic = preserve
    .command('attic')
    .description(textFor('help.preserve.attic'))
    .action(() => run(async (command) => (await import('../verbs/repair.ts')).listAttic(command)))
  attic
    .command('restore')
    .argument('<id>', textFor('help.preserve.attic.id'), word.positive)
    .description(textFor('help.preserve.attic.restore'))
    .option('--as <name>', textFor('help.preserve.attic.as'))
    .action((id: number, { as }: { as?: string }) =>
      run(async (command) => (await import('../verbs/repair.ts')).restoreFromAttic(command, { id, as })),
    )
}

function checksum(text: string): string {
  const sha256 = text.trim().toLowerCase()
  if (!word.isSha256(sha256)) throw new InvalidArgumentError(textFor('cli.word.sha256', { digits: word.sha256Digits }))
  return sha256
}
