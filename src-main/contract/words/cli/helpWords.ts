/** Help of the command line: what verbs, arguments and options do. None ends with a period, except in paragraphs after the options. */
export const helpWords = {
  'help.version': 'print the version',
  'help.help': 'print the help of a command',
  'help.archive': 'folder of the archive; the environment variable LOUPE_ARCHIVE sets another default',
  'help.json': 'print one JSON document and nothing else to standard output',
  'help.debug': 'print stack traces of errors',
  'help.after': `
Exit codes: 0 done, 1 done with findings that need attention, 2 wrong command line, 3 not found, 4 refused,
            5 archive in use or damaged, 6 no space left, 130 stopped.

Examples: loupe --archive ~/museum init
          loupe --archive ~/museum harvest https://example.org/ --max-objects 500`,
  'help.heading.usage': 'Usage:',
  'help.heading.arguments': 'Arguments:',
  'help.heading.options': 'Options:',
  'help.heading.globalOptions': 'Global options:',
  'help.heading.commands': 'Commands:',
  'help.placeholder.options': 'options',
  'help.placeholder.command': 'command',
  'help.default': '{description} (default: {value})',
  'help.choices': '{description} (choices: {known})',
  'help.argument.job': 'number of a job',
  'help.argument.task': 'number of a task',
  'help.argument.archivedFile': 'name of a file in the archive',
  'help.argument.files': 'files, or folders whose archive files are all included',
  'help.option.yes': 'do not ask for confirmation',
  'help.option.jobs': 'only files of these jobs, separated by commas',
  'help.option.files': 'only files whose names match this pattern',
  'help.option.replica': 'only this replica',
  'help.select.jobs.show': 'jobs to show, separated by commas, including deleted ones',
  'help.select.file.show': 'file of the archive to show; can be repeated',
  'help.select.all.show': 'show everything in the archive',
  'help.select.jobs.export': 'jobs to export, separated by commas, including deleted ones',
  'help.select.file.export': 'file of the archive to export; can be repeated',
  'help.select.all.export': 'export everything in the archive',
  'help.select.jobs.search': 'jobs to search, separated by commas, including deleted ones',
  'help.select.file.search': 'file of the archive to search; can be repeated',
  'help.select.all.search': 'search everything in the archive',
  'help.select.jobs.count': 'jobs to count, separated by commas, including deleted ones',
  'help.select.file.count': 'file of the archive to count; can be repeated',
  'help.select.all.count': 'count everything in the archive (default)',

  'help.init': 'create an archive in a new or empty folder; no other command does this',
  'help.serve': 'run the engine, the interface and its API on this machine until Ctrl-C',
  'help.serve.port': 'port of the interface; 0 takes any free port (default: the setting server.port)',
  'help.serve.open': 'open an application window',
  'help.serve.host':
    'also listen at this address for accounts ("loupe accounts"), which log in; with TLS unless it is of this machine',
  'help.serve.publicPort': 'port for accounts; 0 takes any free port (default: 0)',
  'help.serve.name': 'name by which clients call this server, such as loupe.library.example; can be repeated',
  'help.serve.certificate': 'PEM file with the certificate for accounts, and those between it and its root',
  'help.serve.key': 'PEM file with the key of the certificate',
  'help.serve.proxySecret':
    'accept requests for accounts only from a server in front that sends the secret in this file (docs/accounts.md)',
  'help.serve.accountHeader': 'header in which the server in front names the account that it has logged in',
  'help.serve.oidcIssuer': 'URL of an OpenID Connect provider with which accounts can log in (docs/accounts.md)',
  'help.serve.oidcClientId': 'identifier under which the provider knows Loupe',
  'help.serve.oidcSecret': 'file with the secret that the provider gave to Loupe',
  'help.serve.oidcName': 'name of the provider in the log-in screen (default: its host)',
  'help.serve.oidcClaim': 'claim of the provider that is the name of the account (default: preferred_username)',
  'help.serve.insecure': 'accept that passwords and captures are sent in the clear',
  'help.view': 'run only the viewer proxy until Ctrl-C: a browser that uses it shows archived pages',
  'help.view.port': 'port of the proxy; 0 takes any free port (default: the setting viewer.port)',
  'help.view.at': 'show the captures nearest to this time (default: the newest)',
  'help.view.exact': 'show only captures of exactly the requested URL, none of similar URLs',
  'help.getFile': 'copy one file out of the archive and verify its checksum before it gets its name',
  'help.getFile.dest': 'file or folder to write to',
  'help.getFile.replica': 'read from this replica (default: the first with a good copy)',
  'help.getRecord': 'print one record as it was written, beginning with its WARC version line',
  'help.getRecord.subject': 'file in the archive; with --jobs, --file or --all: the URL of a capture',
  'help.getRecord.offset': 'offset of the record in the file',
  'help.getRecord.at': 'use the capture nearest to this time (default: the newest)',
  'help.getMetadata': 'print all metadata records of exactly this job',

  'help.tasks': 'list tasks, newest first: checks, exports, batch jobs, uploads, imports, index builds and page audits',
  'help.tasks.kind': 'only tasks of this kind',
  'help.tasks.limit': 'maximum number of tasks (default: 20)',
  'help.tasks.stop': 'stop a task, and wait until it has stopped',
  'help.tasks.pause': 'pause a task; it keeps its progress, also when Loupe is closed',
  'help.tasks.resume':
    'continue a task that was paused, stopped or interrupted, or that failed, and wait until it ends',

  'help.export': 'export archived records to one file, then read the file again and compare',
  'help.export.dest': 'new file, which must not exist',
  'help.export.format': 'format of the file',
  'help.export.url': 'only URLs that begin like this, for example example.org/museum or *.example.org',
  'help.export.from': 'only captures from this year, day or time on, for example 2026, 2026-11-20 or 20261120120000',
  'help.export.to': 'only captures up to the end of this year, day or time',
  'help.export.noOriginals': 'leave out records that revisits refer to but that the other options exclude',
  'help.export.waczVersion': 'version of the WACZ specification (default: "1.1.1")',
  'help.export.sign': 'sign the WACZ with the key of this archive',

  'help.import':
    'import archive files into a new job and report problems with them; run again, it continues where it stopped',
  'help.import.files': 'files and folders: WARC, ARC, WACZ and HAR, compressed or not, with any names',
  'help.upload': 'store files from elsewhere in every replica; run again, it continues where it stopped',
  'help.recover':
    'recover what the database lost: files in the replicas that it does not know, their jobs, and files in the quarantine',
  'help.recover.after': '\nExits with 1 if something could not be recovered; it stays unchanged.',

  'help.batch':
    'run a batch job over every selected file of the archive; without a module, list the built-in batch jobs and the runs',
  'help.batch.module': 'file that ends with .mjs, or the name of a built-in batch job',
  'help.batch.kind': 'kind of files (default: "both")',
  'help.batch.replica': 'read only copies in this replica (default: the first good copy of each file)',
  'help.batch.timeout': 'end the run after this time, for example 2h (default: 7d)',
  'help.batch.fileTimeout': 'stop processing a file after this time, for example 90s (default: 1h)',
  'help.batch.after': `
A module exports processFile(file, context) and optionally start(context) and finish(context); docs/batch-jobs.md describes
them. IT IS CODE THAT YOU CHOSE, AND IT RUNS WITH YOUR RIGHTS: it can read and change everything that you can; there is no
sandbox. Run only modules that you have read or trust. Files in an archive are never run.

Built-in: checksums, file-list, cdx, record-counts.
The output is printed and kept in batch/ of the archive as NAME-TIME.out; errors are in NAME-TIME.err next to it.
Exits with 1 if files failed, and with 4 if the run ended before all files were processed.`,

  'help.credential': 'names and passwords for sites that require them, kept in the key store of this account',
  'help.credential.list': 'list the names of all credentials and where each is kept, never their contents',
  'help.credential.set': 'store a user name and password; a credential of the same name is replaced',
  'help.credential.set.name': 'name of the credential, by which the login of a harvest refers to it',
  'help.credential.set.user': 'user name of the account (default: you are asked for it)',
  'help.credential.set.after': `
You are asked for the password, and it is not shown. If standard input is not a terminal, it is read from there: first the
user name on its own line, unless --user gives it, then the password.

Example: pass show example.org | loupe credential set example --user jane`,
  'help.credential.remove': 'remove a credential; what was harvested with it is kept',
  'help.credential.remove.name': 'name, as "loupe credential list" shows it',

  'help.history': 'report what the harvester did and the current state of URLs of jobs',
  'help.history.report': 'report to print',
  'help.history.jobs': 'only these jobs, separated by commas',
  'help.history.from': 'only activities that began at this time or later',
  'help.history.to': 'only activities that began before this time',
  'help.history.activity': 'only activities of these kinds',
  'help.history.identifier': 'only URLs and jobs that match this pattern',
  'help.history.result': 'only results that match this pattern, for example ^5 or timeout',
  'help.history.class': 'group by what the first group of this pattern matches in the identifier (default: the host)',
  'help.history.resultClass':
    'group by what the first group of this pattern matches in the result (default: the whole result)',
  'help.history.window':
    'length of the window of maximumActivity and maximumBandwidth, for example 90s or 1h (default: 60s)',
  'help.history.run': 'report changes: this run (default: the last one of each job)',
  'help.history.change': 'report changes: only URLs with these results',
  'help.history.order': 'sort history and documents by this column (default: newest first)',
  'help.history.ascending': 'sort in ascending order',
  'help.history.limit': 'maximum number of rows (default: 100; JSON: 10000; CSV: all)',
  'help.history.csv': 'print CSV',
  'help.history.after': `
Reports: history, every activity; maximumActivity and maximumBandwidth, the busiest window of each class; results, the number
of each result; documents and queue, the current state of URLs, listed or counted; hosts, mediaTypes, statuses and seeds, of
jobs; runs, what each run of a job changed; changes, the URLs of a run with how each compares with its last capture. Patterns for results match their names, which --csv and --json print; tables have labels.

Example: loupe history --report results --job 3 --result-class '^(.)' --csv`,

  'help.backup': 'back up and restore the database of the archive (the WARC files are in the replicas)',
  'help.backup.list': 'list the backups of the database, newest first',
  'help.backup.make': 'make a backup now and verify it; if nothing has changed, the last backup is verified instead',
  'help.backup.make.emptied': 'the backup folder was emptied on purpose: start again in it',
  'help.backup.verify': 'read backups, and verify their checksums and the integrity of the database in each',
  'help.backup.verify.name': 'name or path of a backup (default: all backups of this archive)',
  'help.backup.restore':
    'replace the database with a backup; the old database is kept under another name. Loupe must be closed',
  'help.backup.restore.name': 'name or path of a backup; "loupe backup list" lists them',
  'help.backup.restore.other': 'allow a backup of another archive',

  'help.settings': 'show and change the settings of the archive (loupe.toml)',
  'help.settings.list': 'show every setting with its value, source and meaning',
  'help.settings.get': 'print the value of a setting',
  'help.settings.set': 'change a setting in loupe.toml; the rest of the file is kept',
  'help.settings.user': 'change it for all archives of this user; the loupe.toml of an archive comes first',
  'help.settings.check': 'read and check loupe.toml, or any file with settings',
  'help.settings.file': 'file to check; without it, the settings of the archive',
  'help.settings.path': 'path of a setting, for example harvest.workers',
  'help.settings.value': 'number or text; a list or a map as JSON',

  'help.check': 'report what is wrong with archive files (WARC, ARC, WACZ), what it means and what to do',
  'help.check.severity': 'lowest severity to show',
  'help.check.rule': 'show only findings of these rules, separated by commas, for example recordTorn,fileEmpty',
  'help.check.all': 'show every occurrence, not only the first ones of each rule',
  'help.check.after':
    '\nExits with 1 if there are errors or warnings, shown or not, and with 0 if there are only notes.',
  'help.index': 'print the index lines of archive files, in the order of the files',
  'help.index.format': 'format of the lines',
  'help.index.postAppend': 'append the bodies of POST and PUT requests to the keys of their responses',
  'help.index.sort': 'sort all lines by their bytes, as LC_ALL=C sort does',
  'help.index.digestRecords': 'include the SHA-256 of each record as it is in the file',
  'help.index.records': 'record types to include, separated by commas (default: response,revisit,resource)',
  'help.index.fields': 'further fields of each record, separated by commas, for example http:date,referrer',
  'help.records': 'print one line for each record of archive files: offset, length, type and URL',
  'help.records.type': 'only records of this type, for example response',
  'help.records.url': 'only records whose URL begins with this',

  'help.rewrite.recompress':
    'recompress WARC and ARC files with one gzip member per record, so that each record can be read on its own',
  'help.rewrite.convert': 'convert ARC and HAR files to WARC files',
  'help.rewrite.salvage':
    'write everything readable in a damaged file to a valid WARC file, and report what was left out',
  'help.rewrite.files': 'files or folders, followed by DEST',
  'help.rewrite.after': `
Without DEST, the new file is written next to the old one, as x.{suffix}.warc.gz. DEST is a file that does not exist, or a
folder. With more than two arguments, the last one is DEST if it is a folder. In a folder, all files that the command applies
to are included. The old files are only read, and nothing is overwritten.

Exits with 1 if something was left out or changed.`,

  'help.completion': 'print a script that completes the arguments of loupe in a shell',
  'help.completion.shell': 'name of the shell',
  'help.completion.after': `
bash: loupe completion bash > ~/.local/share/bash-completion/completions/loupe
zsh:  loupe completion zsh > a file named _loupe in a folder of $fpath
fish: loupe completion fish > ~/.config/fish/completions/loupe.fish`,
} as const
