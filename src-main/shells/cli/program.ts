/**
 * Declaration of the command line, and how a verb is run. The declarations of the verbs are in `commands/` and their code is in `verbs/`.
 * Both are loaded on use.
 */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Command as Program, CommanderError } from 'commander'
import { Fault, faults } from '../../contract/calls/faults.ts'
import { nearest } from '../../contract/text/nearest.ts'
import { defaultArchiveFolder } from '../places/defaultArchive.ts'
import type { Command, ExitCode } from './session/command.ts'
import { problemOf, stacksOf } from './output/problem.ts'
import { groupsFor } from './commands/verbGroups.ts'
import { helpConfiguration } from './input/helpConfiguration.ts'
import { interruption } from './input/interruption.ts'
import { acceptJobAndJobs } from './input/jobsOption.ts'
import { outputOf } from './output/output.ts'
import { message, type Message } from '../../contract/words/message.ts'
import { textFor, textOf } from '../../contract/words/render.ts'

const newOutput = () => outputOf({ stdout: process.stdout, stderr: process.stderr, json: () => global().json === true })
let output = newOutput()
const signal = interruption({
  process,
  nowMs: () => performance.now(),
  onFirst: () => output.note(textFor('cli.stopping')),
  onSecond: () => process.exit(130),
})
const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8')) as {
  version: string
}

/** The program of this run; a test runs several in one process. */
let program = newProgram()

export async function runCommandLine(words: string[]): Promise<void> {
  program = newProgram()
  output = newOutput()
  process.on('uncaughtException', (error) => process.exit(fail(error)))
  // The reader of the output has closed the pipe (`loupe … | head`). This is not an error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : warn(error)))
  try {
    for (const { add } of groupsFor(words)) await add(program, run)
    acceptJobAndJobs(program)
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
  const problem = problemOf(error)
  output.failure(problem)
  if (global().debug) output.note(stacksOf(error))
  return problem.exitCode
}

/** Reports an error that is not, or cannot be, the answer on standard output. Returns the exit code. */
function warn(error: unknown): number {
  const { line, exitCode } = problemOf(error)
  output.note(line)
  if (global().debug) output.note(stacksOf(error))
  return exitCode
}

function unknownCommand(command: string, known: readonly string[]): Message {
  const near = nearest(command, known)
  return near === undefined
    ? message('cli.usage.unknownCommand', { command })
    : message('cli.usage.unknownCommand.near', { command, near })
}

/** Declares the options and the help of all commands. The commands themselves are declared when they are needed. */
function newProgram(): Program {
  return (
    new Program('loupe')
      // Inherited by every verb: errors are thrown to `runCommandLine`, which reports them in one line.
      .exitOverride()
      .configureOutput({ outputError: () => undefined })
      .configureHelp(helpConfiguration(textOf))
      .description(textFor('cli.about'))
      .version(version, '--version', textFor('help.version'))
      .helpOption('-h, --help', textFor('help.help'))
      .helpCommand(`help [${textFor('help.placeholder.command')}]`, textFor('help.help'))
      .option('--archive <dir>', textFor('help.archive'), defaultArchiveFolder())
      .option('--json', textFor('help.json'))
      .option('--debug', textFor('help.debug'))
      .addHelpText('after', textFor('help.after'))
      // Runs before the help of any verb. Where help would be printed in place of an error, the error is reported instead.
      .addHelpText('beforeAll', ({ error, command: { args, commands } }) => {
        const word = args[0] === 'help' ? args[1] : args[0]
        const isVerb = word === undefined || word.startsWith('-') || commands.some((verb) => verb.name() === word)
        if (commands.length > 0 && !isVerb)
          throw new Fault(
            'badInput',
            unknownCommand(
              word,
              commands.map((verb) => verb.name()),
            ),
          )
        if (error && global().json) throw new Fault('badInput', message('cli.usage.noCommand'))
        return ''
      })
  )
}
