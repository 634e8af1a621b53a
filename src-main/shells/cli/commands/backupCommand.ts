/** Arguments and options of `loupe backup`. */
import type { Command as Program } from 'commander'
import type { Run } from '../session/command.ts'

export function addBackupVerbs(program: Program, run: Run): void {
  const backup = program
    .command('backup')
    .description('back up the database of the archive, and bring it back (the WARC files are in the replicas)')
  backup
    .command('list')
    .description('list the backups of the database, the newest first')
    .action(() => run(async (command) => (await import('../verbs/backup.ts')).listBackups(command)))
  backup
    .command('make')
    .description('make a backup now and verify it; when nothing has changed, the last one is verified instead')
    .option('--emptied', 'the backup folder was emptied on purpose: begin again in it')
    .action(({ emptied }: { emptied?: true }) =>
      run(async (command) => (await import('../verbs/backup.ts')).makeBackup(command, { emptied: emptied === true })),
    )
  backup
    .command('verify')
    .argument('[name]', 'a backup by its name or path (default: all of this archive)')
    .description('read backups, and compare their checksums and the integrity of the database in each')
    .action((given: string | undefined) =>
      run(async (command) => (await import('../verbs/backup.ts')).verifyBackups(command, given)),
    )
  backup
    .command('restore')
    .argument('<name>', 'a backup by its name or path; "loupe backup list" names them')
    .description('put a backup in the place of the database, which is kept under another name; Loupe must be closed')
    .option('--yes', 'do not ask')
    .option('--of-another-archive', 'also when it is a backup of another archive')
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
