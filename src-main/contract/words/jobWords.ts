/** Why a job cannot start, is paused or ended incompletely, and problems of the crawl engine as a whole. */
export const jobWords = {
  'job.blocked': '{problem} Fix the problem, then resume the job.',
  'job.blocked.keeps': '{problem} Nothing fetched is lost. Fix the problem, then resume the job.',
  'job.diskFull':
    'The disk of the archive has only {free} free, and {kept} must stay free. Make room, then resume the job.',
  'job.givenUp':
    '{url}: {why}, for longer than this harvest waits. Everything fetched so far is kept. Restart the job when the server is available again.',
  'job.folder.unreadable': 'The folder of job {job} cannot be read. {problem}',
  'job.metadataUnwritten': 'The metadata file {name} could not be written. {problem}',
  'job.unreadable': '{name} could not be read back. {problem}',
  'job.notStored': '{name} is not stored in replica {replica}. {problem}',
  'job.filesWait': '{problem} The files wait in {folder} and are stored at the next start of Loupe.',

  'job.patterns.inDefinition':
    'This job was created by an earlier version of Loupe and uses patterns that are no longer supported. {patterns}{more, plural, =0 {} one { # other is refused, too.} other { # others are refused, too.}} Change the definition, then resume the job.',
  'job.patterns.inRules':
    'This job was created by an earlier version of Loupe and uses patterns that are no longer supported. {patterns}{more, plural, =0 {} one { # other is refused, too.} other { # others are refused, too.}} Remove these rules from the queue, then resume the job.',
  'job.patterns.inBoth':
    'This job was created by an earlier version of Loupe and uses patterns that are no longer supported. {patterns}{more, plural, =0 {} one { # other is refused, too.} other { # others are refused, too.}} Change the definition and remove these rules from the queue, then resume the job.',
  'job.pattern.include': 'The include pattern {pattern} is refused. {problem}',
  'job.pattern.exclude': 'The exclude pattern {pattern} is refused. {problem}',
  'job.pattern.domains': 'The crawler trap {pattern} of a domain is refused. {problem}',
  'job.pattern.throttle': 'The throttle pattern {pattern} is refused. {problem}',
  'job.pattern.login': 'The login pattern {pattern} is refused. {problem}',
  'job.pattern.rule': 'The rule that rejects {pattern} is refused. {problem}',
  'job.pattern.other': 'The pattern {pattern} is refused. {problem}',

  'engine.crashed': 'The crawl engine crashed and is being restarted: {problem}',
  'engine.loopFailed': 'The loop "{loop}" failed and restarts in {seconds} s: {problem}',

  'ownership.databaseOlder':
    'The database is older than the files of this archive: it was restored from a copy or created again. Nothing was removed. Run "loupe recover" to add the files that it does not know to the catalogue.',
  'quarantine.otherRun': 'they are not from this run',
  'quarantine.unknownJob': 'the database knows no such job',
  'quarantine.older': 'the database is older than these files, or they are not from this run',
  'quarantine.noImport': 'the database is older than these files, and no import in it waits for them',
  'quarantine.incoming': 'folder "incoming", where files wait to be imported',
  'quarantine.folder': 'folder of job {job}',
  'quarantine.note':
    'Loupe moved these files here from the {from}: {why}.\n\nThey may be the only copy of what was harvested. "loupe recover" brings them into the archive. Loupe removes nothing\nfrom here unless the archive holds the same bytes in every replica; when you know that you do not need them, you can\nremove them yourself.',
  'ownership.setAside':
    '{count, plural, one {A file} other {# files}} in the folder of job {job} that this database does not know ({names}{more, plural, =0 {} other { and # more}}) {count, plural, one {was moved } other {were moved }}to {folder}. Run "loupe recover" to add what belongs to the archive.',
} as const
