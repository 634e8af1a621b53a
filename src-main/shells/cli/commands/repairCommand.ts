/** Arguments and options of `loupe preserve repair` and `loupe preserve attic`. */
import { InvalidArgumentError, type Command as Program } from 'commander'
import type { Run } from '../session/command.ts'
import type { RepairOptions } from '../verbs/repair.ts'
import * as word from '../input/optionValues.ts'
import { message } from '../../../contract/words/message.ts'
import { textOf } from '../../../contract/words/render.ts'

export function addRepairVerbs(preserve: Program, run: Run): void {
  preserve
    .command('repair')
    .description('bring back copies that are missing, and replace bad ones, from a good copy in another replica')
    .option('--replica <r>', 'only copies in this replica')
    .option('--files <re>', 'only files whose name matches this', word.pattern)
    .option('--expected <sha256>', 'the checksum that the file should have, from your own records', checksum)
    .option('--yes-i-have-checked', 'take the registered checksums for the expected ones, and ask nothing')
    .option('--set-aside-unread', 'also what cannot be read: it is moved to the attic as it is, without a checksum')
    .addHelpText(
      'after',
      `
Missing copies are restored first, without a question. Of each bad copy it then shows what holds and what does not, and asks
for the checksum that the file should have (one line of standard input; an empty one leaves the copy as it is; without any
line the copy is refused). Nothing is touched unless all of it holds: a good copy elsewhere, read just now, with the checksum of the majority; what lies here is still what was found;
it is not the registered checksum; the expected one is. The bad copy is moved to the attic, never deleted.

Ends with 4 when something was refused, with 1 when something could not be finished or was left as it is.`,
    )
    .action((options: RepairOptions) =>
      run(async (command) => (await import('../verbs/repair.ts')).repairCopies(command, options)),
    )

  const attic = preserve
    .command('attic')
    .description(
      'list what was taken out of service: what, why, when, from where. Loupe never removes anything from it',
    )
    .action(() => run(async (command) => (await import('../verbs/repair.ts')).listAttic(command)))
  attic
    .command('restore')
    .argument('<id>', 'the number of an entry', word.positive)
    .description('store the bytes of an entry beside what is in service, under a free name, in every replica')
    .option('--as <name>', 'the name (default: the old one with the number of the entry in it)')
    .action((id: number, { as }: { as?: string }) =>
      run(async (command) => (await import('../verbs/repair.ts')).restoreFromAttic(command, { id, as })),
    )
}

function checksum(text: string): string {
  const sha256 = text.trim().toLowerCase()
  if (!word.isSha256(sha256))
    throw new InvalidArgumentError(textOf(message('cli.word.sha256', { digits: word.sha256Digits })))
  return sha256
}
