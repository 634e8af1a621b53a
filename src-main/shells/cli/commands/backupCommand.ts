/** Arguments and options of `loupe backup`. */
import type { Command as Program } from 'commander'
import { textFor } from '../../../contract/words/render.ts'
import type { Run } from '../session/command.ts'

export function addBackupVerbs(program: Program, run: Run): void {
  const backup = program.command('backup').description(textFor('help.backup'))
  backup
    .command('list')
    .description(textFor('help.backup.list'))
    .action(() => run(async (command) => (await import('../verbs/backup.ts')).listBackups(command)))
  backup
    .command('make')
    .description(textFor('help.backup.make'))
    .option('--emptied', textFor('help.backup.make.emptied'))
    .action(({ emptied }: { emptied?: true }) =>
      run(async (command) => (await import('../verbs/backup.ts')).makeBackup(command, { emptied: emptied === true })),
    )
  backup
    .command('verify')
    .argument('[name]', textFor('help.backup.verify.name'))
    .description(textFor('help.backup.verify'))
    .action((given: string | undefined) =>
      run(async (command) => (await import('../verbs/backup.ts')).verifyBackups(command, given)),
    )
  backup
    .command('restore')
    .argument('<name>', textFor('help.backup.restore.name'))
    .description(textFor('help.backup.restore'))
    .option('--yes', textFor('help.option.yes'))
    .option('--of-another-archive', textFor('help.backup.restore.other'))
    .action((given: string, { yes, ofAnotherArchive }: { yes?: true; ofAnotherArchive?: true }) =>
      run(async (command) =>
        (await import('../verbs/backup.ts')).restoreBackup(command, {
          given,
          isConfirmed: yes === true,
          ofAnyArchive: ofAnotherArchive === true,
        }),
      ),
    )
}
