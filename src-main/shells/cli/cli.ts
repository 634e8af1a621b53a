/** The command line: one verb, one call of the contract. Here are the words; what they do is in `verbs/`. Exit codes come
 *  from one place each: a verb's own (0 or 1), or the fault table. */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Command as Program, CommanderError, InvalidArgumentError, Option } from 'commander'
import { scopes } from '../../contract/contract.ts'
import { Fault, faults } from '../../contract/faults.ts'
import { defaultArchiveFolder } from '../defaultArchive.ts'
import type { Command, ExitCode } from './command.ts'
import { outputOf } from './output.ts'
import { openSession } from './session.ts'
import { getFile, getMetadata, getRecordAt, getRecordOf } from './verbs/bytes.ts'
import { harvest } from './verbs/harvest.ts'
import { actOnJob, listJobs, showJob } from './verbs/jobs.ts'
import { check, preserveStatus, type CheckOptions } from './verbs/preserve.ts'
import { serveArchive, view } from './verbs/serve.ts'
import { checkSettings, getSetting, listSettings, setSetting } from './verbs/settings.ts'

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8')) as { version: string }

const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  // The first one stops cleanly, the second one at once: nothing needs to be put away for correctness.
  process.once(signal, () => {
    stop.abort()
    process.once(signal, () => process.exit(130))
  })
}

const program = new Program('loupe')
  .description('Harvests web sites into WARC files, keeps them in replicas, shows them, proves that no bit has rotted.')
  .version(version)
  .option('--archive <dir>', 'the folder of the archive; a new one becomes an archive', defaultArchiveFolder())
  .option('--json', 'one JSON document on standard output', false)
  .option('--debug', 'show the stack of an error', false)
  .exitOverride()
  .configureOutput({ outputError: () => undefined })

let exitCode = 0

/** Runs a verb with what all of them are given. */
async function run(verb: (command: Command) => Promise<ExitCode>): Promise<void> {
  const { archive, json } = program.opts<{ archive: string; json: boolean }>()
  const base = {
    archiveFolder: resolve(archive),
    version,
    json,
    output: outputOf(json, process.stdout, process.stderr),
    signal: stop.signal,
    onBug: (error: unknown) => say(error),
  }
  exitCode = await verb({
    ...base,
    async withSession(works, act) {
      const session = await openSession({ ...base, run: works })
      try {
        return await act(session)
      } finally {
        await session.close()
      }
    },
  })
}

program
  .command('serve')
  .description('engine, interface and API on this machine')
  .option('--port <n>', 'port of the interface; 0 takes any free one', port, 0)
  .option('--open', 'open an application window', false)
  .action((options: { port: number; open: boolean }) => run((command) => serveArchive(command, options)))

program
  .command('harvest <url...>')
  .description('harvest these addresses and store the files in every replica')
  .addOption(new Option('--scope <scope>', 'which pages belong to it').choices(scopes))
  .option('--name <name>', 'what to call the harvest')
  .option('--max-hops <n>', 'hops from a seed', whole)
  .option('--max-objects <n>', 'documents fetched', whole)
  .option('--max-bytes <n>', 'bytes of answers', whole)
  .option('--max-seconds <n>', 'time of fetching', whole)
  .option('--workers <n>', 'fetches at the same time', whole)
  .option('--delay-ms <n>', 'pause between two requests to one host', whole)
  .option('--connections-per-host <n>', 'requests to one host at the same time', whole)
  .addOption(new Option('--robots <policy>', 'robots.txt').choices(['obey', 'ignore']))
  .option('--include <re>', 'pages must match one of these', collect)
  .option('--exclude <re>', 'never fetch what matches', collect)
  .option('--user-agent <s>', 'how the harvester presents itself')
  .option('--resolve <host=address>', 'ask this address instead of the resolver', collect)
  .action((seeds: string[], { resolve: resolved, ...options }: Record<string, unknown> & { resolve?: string[] }) =>
    run((command) => harvest(command, { seeds, ...options, ...(resolved === undefined ? {} : { resolve: resolveMap(resolved) }) })),
  )

program
  .command('jobs [id]')
  .description('list jobs, or show one whole')
  .option('--state <state>', 'only jobs in this state')
  .action((id: string | undefined, { state }: { state?: string }) =>
    run((command) => (id === undefined ? listJobs(command, state) : showJob(command, positive(id)))),
  )

const job = program.command('job').description('act on one job')
for (const action of ['pause', 'resume', 'abort'] as const) {
  job
    .command(`${action} <id>`)
    .description(`${action} this job`)
    .action((id: string) => run((command) => actOnJob(command, action, positive(id))))
}

program
  .command('view')
  .description('the viewer proxy alone')
  .requiredOption('--jobs <ids>', 'jobs to show, separated by commas', jobList)
  .option('--port <n>', 'port of the proxy; 0 takes any free one', port, 0)
  .option('--at <time>', 'show what is nearest to this moment', time)
  .action((options: { jobs: number[]; port: number; at?: string }) => run((command) => view(command, { ...options, at: options.at })))

program
  .command('get-file <name> [dest]')
  .description('one file out of the archive')
  .option('--replica <r>', 'from this replica')
  .action((name: string, dest: string | undefined, { replica }: { replica?: string }) => run((command) => getFile(command, name, dest, replica)))

program
  .command('get-record <file-or-url> [offset]')
  .description('one record, raw, on standard output: FILE OFFSET, or --jobs 1,2 URL')
  .option('--jobs <ids>', 'jobs to look in', jobList)
  .option('--at <time>', 'the capture nearest to this moment', time)
  .action((subject: string, offset: string | undefined, { jobs, at }: { jobs?: number[]; at?: string }) =>
    run((command) => {
      if (jobs) return getRecordOf(command, jobs, subject, at)
      if (offset === undefined) throw new Fault('badInput', 'get-record: give a file and an offset, or --jobs and a URL.')
      return getRecordAt(command, subject, whole(offset))
    }),
  )

program
  .command('get-metadata <job>')
  .description('all metadata records of exactly that job, raw, on standard output')
  .action((id: string) => run((command) => getMetadata(command, positive(id))))

const preserve = program.command('preserve').description('bit preservation')
preserve
  .command('status')
  .description('what is known of every replica')
  .option('--replica <r>', 'only this replica')
  .action(({ replica }: { replica?: string }) => run((command) => preserveStatus(command, replica)))
for (const [kind, description] of [
  ['missing', 'check that every file is there'],
  ['checksums', 'read every file and compare its checksum'],
] as const) {
  preserve
    .command(kind)
    .description(description)
    .option('--replica <r>', 'only this replica')
    .option('--files <re>', 'only files whose name matches')
    .option('--sample <n>', 'only this many, chosen by chance', whole)
    .action((options: CheckOptions) => run((command) => check(command, kind, options)))
}

const settings = program.command('settings').description('the settings of the archive')
settings.command('list').description('all settings').action(() => run(listSettings))
settings.command('get <path>').description('one setting').action((path: string) => run((command) => getSetting(command, path)))
settings
  .command('set <path> <value>')
  .description('change one setting')
  .action((path: string, value: string) => run((command) => setSetting(command, path, value)))
settings.command('check').description('read and check loupe.toml').action(() => run(checkSettings))

for (const command of everyCommand(program)) command.exitOverride().configureOutput({ outputError: () => undefined })

try {
  await program.parseAsync()
} catch (error) {
  exitCode = say(error)
}
process.exitCode = exitCode

/** One line of what happened; the stack only when it is asked for. */
function say(error: unknown): number {
  const debug = program.opts<{ debug: boolean }>().debug
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0
    process.stderr.write(`${error.message.replace(/^error: /, '')}\n`)
    return faults.badInput.exitCode
  }
  const text = error instanceof Error ? error.message : String(error)
  process.stderr.write(`${error instanceof Fault ? text : `Loupe made a mistake: ${text} (--debug shows where)`}\n`)
  if (debug && error instanceof Error) process.stderr.write(`${error.stack ?? ''}\n`)
  return error instanceof Fault ? faults[error.code].exitCode : faults.internal.exitCode
}

function everyCommand(parent: Program): Program[] {
  return [parent, ...parent.commands.flatMap((child) => everyCommand(child as Program))]
}

function whole(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(text)
}

function positive(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new Fault('badInput', `"${text}" is not the number of a job.`)
  return Number(text)
}

function port(text: string): number {
  const value = whole(text)
  if (value > 65_535) throw new InvalidArgumentError('A port is a number from 0 to 65535.')
  return value
}

function jobList(text: string): number[] {
  const jobs = text.split(',').map((part) => part.trim())
  if (jobs.some((part) => !/^[1-9]\d*$/.test(part))) throw new InvalidArgumentError('Jobs are numbers separated by commas.')
  return jobs.map(Number)
}

/** 14 digits as in index lines, or anything that ISO 8601 allows. */
function time(text: string): string {
  const digits = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(text)
  const iso = digits ? `${digits[1]}-${digits[2]}-${digits[3]}T${digits[4]}:${digits[5]}:${digits[6]}Z` : text
  const ms = Date.parse(iso)
  if (Number.isNaN(ms)) throw new InvalidArgumentError('A moment looks like 2026-11-20T12:00:00Z or 20261120120000.')
  return new Date(ms).toISOString()
}

function collect(text: string, before: string[] | undefined): string[] {
  return [...(before ?? []), text]
}

function resolveMap(pairs: string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const [host, address] = pair.split('=', 2)
      if (!host || !address) throw new Fault('badInput', `--resolve ${pair}: it looks like example.org=192.0.2.7.`)
      return [host, address]
    }),
  )
}
