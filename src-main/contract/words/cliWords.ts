/** Output of the command line, and the reasons why it refuses an argument. */
export const cliWords = {
  'cli.about':
    'Harvests websites into WARC files, keeps them in replicas, replays them, and verifies that no bit has changed.',
  'cli.stopping': 'Stopping. Press Ctrl-C again to end at once.',
  'cli.bug': 'Something went wrong: {problem} (--debug shows where).',
  'cli.stopped': 'Stopped.',
  'cli.stopped.again': 'Stopped. Run the same command again to continue with job {job}.',
  'cli.stopped.here': 'Stopped. Run the same command again to continue from here.',
  'cli.stopped.after': 'Stopped after {figures}. Run the same command again to continue from here.',
  'cli.stopped.unchanged': 'Stopped; nothing was changed.',
  'cli.stopped.unwritten': 'Stopped; nothing was written.',
  'cli.stopped.partial': 'Stopped; incomplete files were removed.',
  'cli.unchanged': 'Nothing was changed.',
  'cli.elsewhere': 'Job {job} continues in the Loupe that has the archive open: "loupe job abort {job}" stops it.',
  'cli.idle.job':
    'No Loupe is working on this archive: the job continues when one is started, for example with "loupe serve".',
  'cli.idle.jobs':
    'No Loupe is working on this archive: jobs that have not ended continue with "loupe serve", or when the same command is run again.',
  'cli.idle.schedules':
    'No Loupe is working on this archive: schedules run only while one is running, for example with "loupe serve".',

  'cli.confirm': '{question} Standard input is not a terminal: add {option} to confirm.',
  'cli.noAnswer': 'No answer was given to: {question}',
  'cli.noFile': 'There is no file {path}.',
  'cli.noFolderFor': 'There is no folder for {path}.',
  'cli.exists': '{path} exists: choose another name.',
  'cli.unwritable': '{path} cannot be written: {problem}. Choose another name.',
  'cli.unwritable.partIsFile': 'a part of its path is a file',
  'cli.full': 'No space is left for {path}: make room, or choose another place.',
  'cli.unreadable': '{path} cannot be read: {problem}.',
  'cli.unreadable.json': '{path} cannot be read as JSON: {problem}.',
  'cli.unreadable.budgets': '{path} cannot be read: give a file with lines of "domain objects bytes".',
  'cli.option.file': '--{option} {path}: {problem}',
  'cli.option.countMax': '--count: at most {max}.',
  'cli.option.jobNumber': '"{text}" is not the number of a job: "loupe jobs" lists them.',
  'cli.option.selection': 'Select jobs (--jobs 1,2), files (--file NAME) or everything (--all).',
  'cli.option.continuous': '--{option} needs --continuous.',
  'cli.option.moduleSetting': '"{text}" is no setting of a module: use the form "name=value".',
  'cli.option.connector': '{option} needs --connector {kind}.',
  'cli.option.wacz': '--sign and --wacz-version need --format wacz.',
  'cli.option.expected': '--expected is the checksum of one file: choose that file with --files.',
  'cli.option.formatOfJson':
    '--json prints data, so --format {format} cannot be printed with it: leave one of them out, or name a file for the report.',
  'cli.option.clear': '--clear {name}: it must be one of {known}.',
  'cli.option.recordOrFile': 'Give either a URL with --jobs, --file or --all, or a file and an offset.',

  'cli.usage.unknownOption': 'Unknown option {option}: --help lists the options.',
  'cli.usage.unknownOption.near': 'Unknown option {option}: did you mean {near}?',
  'cli.usage.unknownCommand': 'Unknown command "{command}": --help lists the commands.',
  'cli.usage.unknownCommand.near': 'Unknown command "{command}": did you mean {near}?',
  'cli.usage.noCommand': 'The command is missing: --help lists the commands.',
  'cli.usage.argument': '<{argument}>',
  'cli.usage.missingArgument': 'Missing required argument <{argument}>: --help describes the arguments.',
  'cli.usage.missingValue': 'The option {option} needs a value.',
  'cli.usage.missingOption': 'The option {option} is required.',
  'cli.usage.conflict': '{option} cannot be used with {other}.',
  'cli.usage.excessArguments':
    'Too many arguments for "{command}" ({given}): it takes {expected, plural, =0 {no arguments} one {# argument} other {# arguments}}.',
  'cli.usage.invalidValue': 'Invalid value "{value}" for {name}. {problem}',

  'cli.word.whole': 'It must be a whole number.',
  'cli.word.min': 'It must be at least 1.',
  'cli.word.jobs': 'Jobs are numbers separated by commas, for example 1,2.',
  'cli.word.port': 'A port is a number from 0 to 65535.',
  'cli.word.moment': 'A time looks like 2026-11-20T12:00:00Z or 20261120120000.',
  'cli.word.moments': 'A time looks like 2026, 2026-11, 2026-11-20, 2026-11-20T12:00:00Z or 20261120120000.',
  'cli.word.host': 'It looks like example.org=192.0.2.7 or example.org=192.0.2.7:8080.',
  'cli.word.hops': 'It looks like redirect=5; the types are {types}.',
  'cli.word.size': 'A size looks like 500000, 500kB, 2GB or 2GiB.',
  'cli.word.duration': 'A duration looks like {example}, 90s, 30m, 2h or 7d.',
  'cli.word.span': 'A duration looks like 90s, 30m, 12h, 7d or never.',
  'cli.word.values': '"{part}" is not between {least} and {most}; separate several values with commas.',
  'cli.word.throttle':
    'It looks like example\\.org$=30: a pattern for host names and the requests per minute for each host; or like example\\.org$=fetches:30,connections:2,bytes:50kB, with bytes per second.',
  'cli.word.sha256': 'A SHA-256 has {digits} digits and letters a to f.',
  'cli.word.choice': 'It must be one of {known}.',
  'cli.word.choice.near': 'It must be one of {known}: did you mean {near}?',

  'cli.job.paused': 'Job {job} is paused: "loupe job resume {job}" resumes it.',
  'cli.job.pausedBy': 'Job {job} is paused. {reason} Run the same command again to continue.',
  'cli.job.reason': 'Job {job}: {reason}',
  'cli.job.priority': 'Job {job} now has priority {priority}.',
  'cli.job.delete': 'Delete job {job} ({name}), its URL list and its log? Archived files are kept.',
  'cli.job.same': 'Job {job}: no changes.',
  'cli.job.changed': 'Job {job}: changed {parts}; this applies {since}.',
  'cli.job.changeNothing': 'No change was given: "loupe job edit --help" lists the options.',
  'cli.jobs.none': 'There are no jobs: "loupe harvest URL" creates one.',
  'cli.jobs.noneIn': 'No job is {state}.',
  'cli.jobs.noneDeleted': 'The archive has no files of deleted jobs.',
  'cli.schedule.empty': 'Give a time, for example --hours 2 --days-of-week mon --duration-minutes 180.',
  'cli.queue.reject': 'Give either a regular expression, or --remove and the number of a rule.',
  'cli.queue.priority': 'A number applies to the whole job; move URLs with --to first, usual or last.',
  'cli.queue.budgets': 'Name at least one domain, or a --file with one domain per line.',
  'cli.queue.selection': 'Select URLs with --pattern, --host, or both.',
  'cli.credentials.none': 'There are no credentials: "loupe credential set NAME" creates one.',
  'cli.credential.set': 'The credential {name} was stored.',
  'cli.credential.removed': 'The credential {name} was removed.',
  'cli.history.none': 'No results.',

  'cli.archive.created': '{archive} is now an archive.',
  'cli.archive.exists': '{archive} is an archive already; nothing was changed.',
  'cli.archive.unknown':
    'The archive holds {files, plural, one {# file} other {# files}} that the new database does not know: run "loupe recover" to add them to the catalogue.',
  'cli.import.notReached': 'The import ended before this file.',
  'cli.import.full': '{file}: {problem} Make room, and run the same command again.',
  'cli.upload.begun': 'Upload {upload} stores {files, plural, one {# file} other {# files}}.',
  'cli.upload.notStored': '{name} is not stored in every replica. {problem}',
  'cli.upload.state.waiting': 'waiting',
  'cli.upload.state.storing': 'storing',
  'cli.upload.state.stored': 'stored',
  'cli.upload.state.failed': 'not stored in every replica',
  'cli.upload.state.refused': 'refused',
  'cli.upload.notBegun': 'The upload ended before this file.',
  'cli.tasks.none': 'No tasks yet.',
  'cli.tasks.failed': 'The task failed.',
  'cli.batch.begun': 'Batch run {run} ({name}) processes {files, plural, one {# file} other {# files}}.',
  'cli.batch.errors': 'All messages about files are in {file}.',
  'cli.batch.failed': '{problem} See {file}.',
  'cli.batch.unknown.near':
    '"{module}" is neither a file that ends with .mjs nor a built-in batch job; the nearest of those is "{near}": {known}.',
  'cli.export.begun': 'Export {number} writes {what} to {path}.',
  'cli.export.failed': 'The export failed.',

  'cli.backup.none':
    'There is no backup in {folder}. Loupe makes backups while it runs; "loupe backup make" makes one now.',
  'cli.backup.made': 'Made {path} ({size}) and verified it.',
  'cli.backup.same': 'Nothing has changed since {made}: {path} was verified, and no new backup was written.',
  'cli.backup.removed': 'Removed {name}, which was too old to keep.',
  'cli.backup.candidate':
    '{path}, {made}: {jobs, plural, one {# job} other {# jobs}}, {files, plural, one {# archived file} other {# archived files}}. It is intact.',
  'cli.backup.replaces':
    'The current database of {archive} is kept under another name, and the backup takes its place.',
  'cli.backup.noDatabase': '{archive} has no database now.',
  'cli.backup.since': 'The backup does not include what was harvested, stored or changed after it was made.',
  'cli.backup.unconfirmed': 'Nothing was changed, because nothing was typed: add --yes to confirm without a terminal.',
  'cli.backup.restored':
    'Restored {path}: the database of {archive} has {jobs, plural, one {# job} other {# jobs}} and {files, plural, one {# archived file} other {# archived files}}.',
  'cli.backup.moved': 'The previous database is now {path}; Loupe never removes it.',
  'cli.backup.settings':
    'loupe.toml was missing and was restored from the backup: check whether its folders are right.',
  'cli.backup.next':
    'Next: "loupe recover" adds later files from the replicas; then "loupe preserve missing" checks that every file exists.',
  'cli.backup.nextSince':
    'Next: "loupe recover" adds what was stored since {made} from the replicas; then "loupe preserve missing" checks that every file exists.',

  'cli.check.rules': 'What the findings mean, and what to do:',
  'cli.check.noRule': 'There is no rule "{name}": a check without --rule names the rules that it finds.',
  'cli.check.noRule.near': 'There is no rule "{name}": did you mean {near}?',
  'cli.records.noType': 'No record of type "{type}" can be indexed: the types are {known}.',
  'cli.records.noType.near': 'No record of type "{type}" can be indexed: did you mean {near}?',
  'cli.bytes.notInReplica': '{file} is not in a replica of this archive: give the name of a file in the archive.',
  'cli.bytes.noGoodCopy':
    'No replica has a good copy of {name}, so nothing was written: run "loupe preserve checksums".',
  'cli.bytes.wrongCopy':
    '{name} has the checksum {found} in replica {replica} and not {sha256}, so it is not used: run "loupe preserve checksums".',
  'cli.bytes.noCapture': 'There is no capture of {url} in {selection}.',
  'cli.bytes.noProxy': 'The viewer proxy {proxy} of this archive does not answer.',
  'cli.bytes.exists': '{path} exists and is another file: choose another place, or move it away.',
  'cli.bytes.broken': 'The archive could not read all of it: run "loupe preserve checksums".',
  'cli.rewrite.none': 'There is no file to {action} in {paths}.',
  'cli.rewrite.isFile': '{path} is a file: name a folder for several files.',
  'cli.rewrite.noFolder': 'There is no folder {path} to write to.',
  'cli.rewrite.sameName': 'It would get the same name as {other}: name a target file for it.',

  'cli.preserve.result': 'Check {check} ({kind}) of {replicas}: {result}.',
  'cli.preserve.noReplica': 'There is no replica "{name}": the archive has {known}.',
  'cli.preserve.noReplica.near':
    'There is no replica "{name}"; the nearest known one is "{near}": the archive has {known}.',
  'cli.preserve.seen': 'Observations, newest first:',
  'cli.preserve.attic': 'In the attic:',
  'cli.preserve.audit': 'In the audit log, newest first:',
  'cli.preserve.backups': 'Backups of the database:',
  'cli.preserve.votes': 'Verdicts:',
  'cli.preserve.spots': 'Spot checks that need attention:',
  'cli.preserve.surplus': 'Not in the catalogue:',
  'cli.preserve.noBackup': 'Backups of the database go to {folder}; there is none yet.',
  'cli.preserve.backup':
    'The last backup of the database was made {made} and was still current {confirmed}; {kept, plural, one {# is} other {# are}} kept in {folder}.',
  'cli.preserve.backup.together':
    'The last backup of the database was made {made} and was still current {confirmed}; {kept, plural, one {# is} other {# are}} kept in {folder}, on the same file system as the archive or a replica.',
  'cli.preserve.spotCheck':
    'Spot check {number}: {files, plural, one {# file} other {# files}}, each with its own salt.',
  'cli.preserve.unknownCaptures': 'Its captures are not known.',
  'cli.preserve.waiting': 'In the folders of jobs, and in no replica:',
  'cli.preserve.unknown': 'In no replica, and not known to the database:',
  'cli.next.repair': 'Next: "loupe preserve repair" restores missing and damaged copies from a good copy.',
  'cli.next.recover':
    'Next: "loupe recover" adds files that are not in the catalogue. Loupe never changes them otherwise: move what does not belong there out of the replica.',
  'cli.next.recoverUnknown': 'Next: "loupe recover" adds files that the database does not know to the archive.',
  'cli.next.waiting':
    'Next: files of jobs that are in no replica are stored at the next start of Loupe, once every replica is reachable.',
  'cli.next.store': 'Next: "loupe preserve repair --replica {replica}" stores the missing files there.',
  'cli.recover.importing': 'Job {job} imports files from the quarantine.',
  'cli.recover.imports': 'Job {job} imports files from the quarantine that no metadata file describes.',
  'cli.recover.nothing':
    'Nothing to recover: the database knows every file in the replicas, and the quarantine is empty.',
  'cli.repair.right': '{name} in replica {replica} is right.',
  'cli.repair.left': '{name} in {replica} was left unchanged.',
  'cli.repair.unread':
    'The file {name} in replica {replica} cannot be read ({problem}). With --set-aside-unread it is moved to the attic as it is, and a good copy takes its place. Nothing was changed.',
  'cli.repair.type':
    'Type the SHA-256 that the file should have, from your own records, to confirm the repair above. An empty line leaves the copy as it is:',
  'cli.repair.unconfirmed':
    'No expected checksum was given: give --expected, or --yes-i-have-checked. Nothing was changed.',
  'cli.repair.notSha256':
    'This is not a SHA-256: it has {digits} digits and letters a to f, and what was typed has {typed, plural, one {# character} other {# characters}}. Type it again, or an empty line:',
  'cli.repair.nothing': 'No known damage. Run a check first.',
  'cli.repair.full': '{name} in {replica}: {problem}',
  'cli.repair.refused':
    '{copies, plural, one {# copy} other {# copies}} of {total} refused: {name} in {replica}: {problem}',
  'cli.attic.none': 'The attic is empty.',
  'cli.attic.restored': 'Entry {id} is stored as {name} in every replica; its bytes stay in the attic too.',
  'cli.report.wrote': 'Wrote {path}.',

  'cli.settings.fileChecked': '{file}: no problem found.',
  'cli.settings.invalid':
    'Until this is fixed ("loupe settings set", or an editor), the archive cannot be opened; invalid settings count as not set.',
  'cli.settings.later': 'The Loupe that has the archive open uses it after its next start.',
  'cli.settings.checked':
    'All settings are valid: {own} of {all, plural, one {# setting} other {# settings}} set, the others have their defaults.',
  'cli.serve.ctrlC': 'Press Ctrl-C to end.',
  'cli.serve.unbuilt':
    'The interface is not built, so its address shows nothing: run "npm run build", or start Loupe with "npm start".',
  'cli.serve.notShown': 'The captures of {file} are not shown ("loupe preserve status" says more). {problem}',
  'cli.serve.more': 'The same applies to {files, plural, one {# further file} other {# further files}}.',
} as const
