/**
 * Declaration of the command line, and how a verb is run. The verbs are in `verbs/` and are loaded on use: most of them need the engine,
 * `--help` does not.
 */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Argument, Command as Program, CommanderError, Option } from 'commander'
import { Fault, faults } from '../../contract/calls/faults.ts'
import { defaultArchiveFolder } from '../places/defaultArchive.ts'
import type { Command, ExitCode } from './session/command.ts'
import { complaintOf, stacksOf } from './output/complaint.ts'
import { addBackupVerbs } from './commands/backupCommand.ts'
import { addBatchVerbs } from './commands/batchCommand.ts'
import { addCompletionVerb } from './commands/completionCommand.ts'
import { addTaskVerbs } from './commands/taskCommand.ts'
import { addConnectorVerbs } from './commands/connectorCommand.ts'
import { addCredentialVerbs } from './commands/credentialCommand.ts'
import { addFileVerbs } from './commands/fileCommand.ts'
import { interruption } from './input/interruption.ts'
import { acceptJobAndJobs } from './input/jobsOption.ts'
import { outputOf } from './output/output.ts'
import { addRewriteVerbs } from './commands/rewriteCommand.ts'
import { addQueueVerbs } from './commands/queueCommand.ts'
import { addScheduleVerbs } from './commands/scheduleCommand.ts'
import { addExportVerbs } from './commands/exportCommand.ts'
import { addHarvestOptions } from './commands/harvestCommand.ts'
import { addHistoryVerb } from './commands/historyCommand.ts'
import { addImportVerbs } from './commands/importCommand.ts'
import { addPreserveVerbs } from './commands/preserveCommand.ts'
import { addSelectionOptions, selectionIn, selectionNeeded, type SelectionWords } from './input/selectionOptions.ts'
import * as word from './input/optionValues.ts'
import { message } from '../../contract/words/message.ts'
import { textOf } from '../../contract/words/render.ts'

const program = new Program('loupe')
const newOutput = () => outputOf({ stdout: process.stdout, stderr: process.stderr, json: () => global().json === true })
let output = newOutput()
const signal = interruption({
  process,
  nowMs: () => performance.now(),
  onFirst: () => output.note(textOf(message('cli.stopping'))),
  onSecond: () => process.exit(130),
})
const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8')) as {
  version: string
}

export async function runCommandLine(words: string[]): Promise<void> {
  output = newOutput()
  process.on('uncaughtException', (error) => process.exit(fail(error)))
  // The reader of the output has closed the pipe (`loupe … | head`). This is not an error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : warn(error)))
  try {
    await program.parseAsync(words, { from: 'user' })
  } catch (error) {
    process.exitCode = fail(error)
  }
  // Work that was stopped may still occupy a thread; its results are not used.
  if (signal.aborted) process.exit()
}

function global() {
  return program.opts<{ archive: string; json?: true; debug?: true }>()
}

async function run(verb: (command: Command) => Promise<ExitCode>): Promise<void> {
  const base = {
    archiveFolder: resolve(global().archive),
    version,
    onBug: (error: unknown) => void warn(error),
    onNotice: (sentence: string) => output.note(sentence),
  }
  process.exitCode = await verb({
    ...base,
    output,
    debug: global().debug === true,
    signal,
    async withSession(how, act, accepts = 'archive') {
      const { openSession } = await import('./session/session.ts')
      const session = await openSession({ ...base, accepts, run: how === 'works', signal })
      try {
        return await act(session)
      } finally {
        await session.close()
      }
    },
  })
}

/** Reports the failure of a command. Returns the exit code. */
function fail(error: unknown): number {
  // Help or the version was requested, or help was printed because the verb is missing.
  if (error instanceof CommanderError && (error.exitCode === 0 || error.code === 'commander.help'))
    return error.exitCode === 0 ? 0 : faults.badInput.exitCode
  const complaint = complaintOf(error)
  output.failure(complaint)
  if (global().debug) output.note(stacksOf(error))
  return complaint.exitCode
}

/** Reports an error that is not, or cannot be, the answer on standard output. Returns the exit code. */
function warn(error: unknown): number {
  const { line, exitCode } = complaintOf(error)
  output.note(line)
  if (global().debug) output.note(stacksOf(error))
  return exitCode
}

program
  // Inherited by every verb: errors are thrown to `runCommandLine`, which reports them in one line.
  .exitOverride()
  .configureOutput({ outputError: () => undefined })
  .configureHelp({ showGlobalOptions: true })
  .description(textOf(message('cli.about')))
  .version(version, '--version', 'print the version')
  .helpOption('-h, --help', 'print the help of a verb')
  .option(
    '--archive <dir>',
    'the folder of the archive; LOUPE_ARCHIVE in the environment names another default',
    defaultArchiveFolder(),
  ) // prettier-ignore
  .option('--json', 'print one JSON document and nothing else on standard output')
  .option('--debug', 'print the stack of an error')
  .addHelpText(
    'after',
    `
Exit codes: 0 done, 1 done with findings that need a person, 2 wrong words, 3 no such thing, 4 refused,
            5 the archive is in use or damaged, 6 no space, 130 stopped.

Examples: loupe --archive ~/museum init
          loupe --archive ~/museum harvest https://example.org/ --max-objects 500`,
  )
  // Runs before the help of any verb. Where help would be printed in place of an error, the error is reported instead.
  .addHelpText('beforeAll', ({ error, command: { args, commands } }) => {
    const word = args[0] === 'help' ? args[1] : args[0]
    const isVerb = word === undefined || word.startsWith('-') || commands.some((verb) => verb.name() === word)
    if (commands.length > 0 && !isVerb)
      program.error(`error: unknown command '${word}'`, { code: 'commander.unknownCommand' })
    if (error && global().json) program.error('error: a verb is missing: --help shows those there are')
    return ''
  })

program
  .command('init')
  .description('create an archive in a new or an empty folder; no other verb does')
  .action(() => run(async (command) => (await import('./verbs/init.ts')).initArchive(command)))

program
  .command('serve')
  .description('run the engine, the interface and its API on this machine until Ctrl-C')
  .option('--port <n>', 'port of the interface; 0 takes any free one (default: the setting server.port)', word.port)
  .option('--open', 'open an application window')
  .action((options: { port?: number; open?: boolean }) =>
    run(async (command) => (await import('./verbs/serve.ts')).serveArchive(command, options)),
  )

addHarvestOptions(program.command('harvest'))
  .argument('<url...>', 'where to begin: https://example.org/ or example.org; with --connector folder: a folder')
  .description('harvest these addresses and store the files in every replica; again, it goes on where it was stopped')
  .action((seeds: string[], options: Record<string, unknown>) =>
    run(async (command) => (await import('./verbs/harvest.ts')).harvest(command, { seeds, ...options })),
  )

program
  .command('jobs')
  .argument('[id]', 'the number of a job', word.jobNumber)
  .description('list the jobs, or show one whole')
  .option('--state <state>', 'only jobs in this state, as in PAUSED or Done')
  .addOption(new Option('--deleted', 'deleted jobs whose files are still archived').conflicts('state'))
  .action((job: number | undefined, { state, deleted }: { state?: string; deleted?: true }) =>
    run(async (command) => {
      const { listDeletedJobs, listJobs, showJob } = await import('./verbs/jobs.ts')
      if (deleted) return listDeletedJobs(command)
      return job === undefined ? listJobs(command, state) : showJob(command, job)
    }),
  )

const job = program.command('job').description('act on one job')
job
  .command('start')
  .argument('<id>', 'the number of a job', word.jobNumber)
  .description('begin the next run of a job that has ended: only what has changed is fetched whole')
  .option('--minimal', 'look only at what the source names as new or changed, where it can; nothing leaves the list')
  .action((id: number, { minimal }: { minimal?: boolean }) =>
    run(async (command) => (await import('./verbs/jobs.ts')).startJob(command, id, minimal === true)),
  )
job
  .command('restart')
  .argument('<id>', 'the number of a job', word.jobNumber)
  .description('end the run that is under way, keep and store what it fetched, and begin the next run')
  .option('--minimal', 'the next run looks only at what the source names as new or changed, where it can')
  .action((id: number, { minimal }: { minimal?: boolean }) =>
    run(async (command) => (await import('./verbs/jobs.ts')).restartJob(command, id, minimal === true)),
  )
addHarvestOptions(job.command('edit'))
  .argument('<id>', 'the number of a job', word.jobNumber)
  .argument('[url...]', 'where to begin from now on, instead of the seeds that it has')
  .description(
    'change what a job is told to do: what is not said here stays; a run that is under way takes what it can',
  )
  .option(
    '--definition <file>',
    'as in this JSON file, in place of all that it has; what "loupe --json jobs ID" prints is one',
  )
  .option(
    '--clear <option>',
    'as if this had never been said, as in max-objects; may be given several times',
    word.several,
  )
  .action((id: number, seeds: string[], options: Record<string, unknown>) =>
    run(async (command) => (await import('./verbs/editJob.ts')).editJob(command, id, { seeds, ...options })),
  )
job
  .command('delete')
  .argument('<id>', 'the number of a job', word.jobNumber)
  .description('delete a job, its URL list and its log; its archived files are kept')
  .option('--yes', 'do not ask')
  .action((id: number, { yes }: { yes?: true }) =>
    run(async (command) => (await import('./verbs/jobs.ts')).deleteJob(command, id, yes === true)),
  )
for (const [action, description] of [
  ['pause', 'finish what is being fetched, then wait'],
  ['resume', 'go on with a paused job'],
  ['abort', 'stop a job for good; what was fetched is kept and stored'],
] as const) {
  job
    .command(action)
    .argument('<id>', 'the number of a job', word.jobNumber)
    .description(description)
    .action((id: number) => run(async (command) => (await import('./verbs/jobs.ts')).actOnJob(command, action, id)))
}

addSelectionOptions(program.command('view'), 'to show')
  .description('run the viewer proxy alone until Ctrl-C: a browser that uses it sees what was archived')
  .option('--port <n>', 'port of the proxy; 0 takes any free one (default: the setting viewer.port)', word.port)
  .option('--at <time>', 'show what is nearest to this moment (default: the newest)', word.moment)
  .option('--exact', 'show nothing under another address than the one that is asked, also where they hardly differ')
  .action(({ port, at, exact, ...words }: SelectionWords & { port?: number; at?: string; exact?: boolean }) =>
    run(async (command) =>
      (await import('./verbs/serve.ts')).view(command, { ...{ port, at, exact }, ...selectionNeeded(words) }),
    ),
  )

program
  .command('get-file')
  .argument('<name>', 'the name of a file in the archive')
  .argument('[dest]', 'the file or the folder to write to', '.')
  .description('copy one file out of the archive; it gets its name when its checksum agreed')
  .option('--replica <r>', 'from this replica (default: the first that gives a good copy)')
  .action((name: string, destination: string, { replica }: { replica?: string }) =>
    run(async (command) => (await import('./verbs/bytes.ts')).getFile(command, { name, destination, replica })),
  )

addSelectionOptions(program.command('get-record'), 'to look in')
  .addArgument(
    new Argument('<file-or-url>', 'a file in the archive; with --jobs, --file or --all: the URL of a capture'),
  )
  .argument('[offset]', 'where in the file the record begins', word.whole)
  .description('print one record as it was written, from its WARC/1.1 on')
  .option('--at <time>', 'the capture nearest to this moment (default: the newest)', word.moment)
  .action((subject: string, offset: number | undefined, { at, ...words }: SelectionWords & { at?: string }) =>
    run(async (command) => {
      const { getRecordAt, getRecordOf } = await import('./verbs/bytes.ts')
      const selection = selectionIn(words)
      if (selection && offset !== undefined) throw new Fault('badInput', message('cli.option.recordOrFile'))
      if (selection) return getRecordOf(command, { selection, url: subject, at })
      if (offset === undefined) throw new Fault('badInput', message('cli.option.recordOrFile'))
      return getRecordAt(command, { file: subject, offset })
    }),
  )

program
  .command('get-metadata')
  .argument('<job>', 'the number of a job', word.jobNumber)
  .description('print all metadata records of exactly this job')
  .action((id: number) => run(async (command) => (await import('./verbs/bytes.ts')).getMetadata(command, id)))

addImportVerbs(program, run)
addExportVerbs(program, run)
addBatchVerbs(program, run)
addCredentialVerbs(program, run)
addConnectorVerbs(program, run)
addTaskVerbs(program, run)
addHistoryVerb(program, run)

addQueueVerbs(program, run)
addScheduleVerbs(program, run)
addPreserveVerbs(program, run)
addBackupVerbs(program, run)
addFileVerbs(program, run)
addRewriteVerbs(program, run)
addCompletionVerb(program, run)

const settings = program.command('settings').description('the settings of the archive (its loupe.toml)')
settings
  .command('list')
  .description('show every setting with its value, its source and its meaning')
  .action(() => run(async (command) => (await import('./verbs/settings.ts')).listSettings(command)))
settings
  .command('get')
  .argument('<path>', 'as in harvest.workers')
  .description('print the value of one setting')
  .action((path: string) => run(async (command) => (await import('./verbs/settings.ts')).getSetting(command, path)))
settings
  .command('set')
  .argument('<path>', 'as in harvest.workers')
  .argument('<value>', 'a number or a text; a list or a map as JSON')
  .description('change one setting in loupe.toml; the rest of the file stays as it is')
  .action((path: string, value: string) =>
    run(async (command) => (await import('./verbs/settings.ts')).setSetting(command, { path, text: value })),
  )
settings
  .command('check')
  .description('read and check loupe.toml')
  .action(() => run(async (command) => (await import('./verbs/settings.ts')).checkSettings(command)))

acceptJobAndJobs(program)
