/** Output of the verbs about harvests, jobs, their queues and schedules, imports, and what the harvester did. */
export const jobOutputWords = {
  'cli.job.status': 'Job {job}: {status}',
  'cli.job.moved': 'Job {job}: {from} → {to}',
  'cli.job.ended': 'Job {job}: {status} after {duration}. {reason}',
  'cli.job.noReason': 'No reason was recorded.',
  'cli.job.since.now': 'now',
  'cli.job.since.nextRun': 'from its next run on',
  'cli.job.harvesting': 'Job {job} harvests {what} into {archive}.',
  'cli.job.importing': 'Job {job} imports {what} into {archive}.',
  'cli.job.continuing': 'Job {job} continues with {what} into {archive}.',
  'cli.job.runElsewhere': 'It is run by the Loupe that has the archive open.',
  'cli.harvest.progress':
    '{status}: {done} of {total} URLs in scope ({fetched} fetched), {queued} queued, {bytes} received, {rate}',
  'cli.harvest.progress.remaining':
    '{status}: {done} of {total} URLs in scope ({fetched} fetched), {queued} queued, {bytes} received, {rate}, at least {duration} to go',
  'cli.harvest.summary':
    '{fetched, plural, one {# URL} other {# URLs}} fetched ({duplicate, plural, one {# duplicate} other {# duplicates}}, {truncated} truncated), {failed} failed, {excluded} excluded; {received} received, {stored} compressed in {files, plural, one {# file} other {# files}}',
  'cli.harvest.file': '  {name}  {size}  sha256 {sha256}',

  'cli.job.label.doing': 'now',
  'cli.job.label.harvest': 'harvest',
  'cli.job.label.seeds': 'seeds',
  'cli.job.label.started': 'started',
  'cli.job.label.ended': 'ended',
  'cli.job.label.ran': 'ran',
  'cli.job.label.progress': 'progress',
  'cli.job.label.urls': 'URLs',
  'cli.job.label.answers': 'answers',
  'cli.job.label.received': 'received',
  'cli.job.label.files': 'files',
  'cli.job.label.findings': 'findings',
  'cli.job.endedBecause': '{ended}. {reason}',
  'cli.job.ran': '{duration}, {rate} URLs/s',
  'cli.job.progress': '{done} of {total} URLs in scope, {queued} queued, {excluded} excluded',
  'cli.job.urls':
    '{fetched} fetched ({duplicate, plural, one {# duplicate} other {# duplicates}}, {truncated} truncated), {failed} failed',
  'cli.job.answers':
    '{success} success (2xx, 304), {redirects} redirects (3xx), {notFound} not found (404), {otherClient} other 4xx, {server} server errors (5xx){other, plural, =0 {} other {, # other}}, {none} without an answer',
  'cli.job.received': '{size} in this run',
  'cli.job.files': '{files, plural, one {# file} other {# files}}, {size} compressed',
  'cli.job.findings':
    '{total} ({errors, plural, one {# error} other {# errors}}, {warnings, plural, one {# warning} other {# warnings}}, {notes, plural, one {# note} other {# notes}})',

  'cli.connector.state': '{connector}: {state}',
  'cli.connector.waiting': '{connector}: {state}; {jobs, plural, one {# job waits} other {# jobs wait}} for it',

  'cli.history.shown':
    '{shown} of {total, plural, one {# row is} other {# rows are}} shown: --limit and --csv show more.',
  'cli.history.leftOut': '{count, plural, one {# more belongs} other {# more belong}} to no class.',

  'cli.import.files':
    '{files, plural, one {# file} other {# files}}: {imported} imported, {archived} already archived, {rejected} rejected{waiting, plural, =0 {} other {, # not done}}',
  'cli.import.summary': '{files}: {captures, plural, one {# capture} other {# captures}}, {size} in {duration}',
  'cli.import.next': '"loupe check FILE" shows where each finding is.',
  'cli.import.more': '  and {count, plural, one {# more file} other {# more files}} with errors or not imported',
  'cli.import.good': '  {count, plural, one {# file} other {# files}} without errors',
  'cli.import.json': '  --json lists every file.',
  'cli.import.rule': '    {severity}: {rule} ({count})',
  'cli.import.ruleInFiles': '    {severity}: {rule} ({count} in {files, plural, one {# file} other {# files}})',
  'cli.import.moreRules': '    and {count, plural, one {# more rule} other {# more rules}}',
  'cli.import.notImported': '  {file}  not imported: {problem}',
  'cli.import.file': '  {file}  {kind}: {figures}',

  'cli.queue.head':
    'Job {job}, priority {priority}: {urls, plural, one {# URL} other {# URLs}} queued ({waiting} waiting, {inProgress} in progress). {doing}',
  'cli.queue.unsupported': '{pattern} (no longer supported)',
  'cli.queue.dropped':
    '{count, plural, one {# URL} other {# URLs}} removed from the queue{inProgress, plural, =0 {} other {, and # in progress that have not been fetched yet}}',
  'cli.queue.wouldDrop':
    '{count, plural, one {# URL} other {# URLs}} would be removed from the queue{inProgress, plural, =0 {} other {, and # in progress that have not been fetched yet}}',
  'cli.queue.queuedAgain':
    '{count, plural, one {# URL} other {# URLs}} queued again{inProgress, plural, =0 {} other {, and # in progress that have not been fetched yet}}',
  'cli.queue.moved': '{count, plural, one {# URL} other {# URLs}} moved to place "{place}"',
  'cli.queue.wouldMove': '{count, plural, one {# URL} other {# URLs}} would be moved to place "{place}"',
  'cli.queue.effect': '{effect}.',
  'cli.queue.effectOn': '{effect}:',
  'cli.queue.more': '  … and {count} more',
  'cli.queue.moving': '{count, plural, one {# more URL is} other {# more URLs are}} in progress already.',

  'cli.schedule.job': 'Job {job}: {schedule}',
  'cli.schedule.none': 'no schedule',

  'cli.recover.done':
    '{files, plural, one {# file} other {# files}} added to the catalogue, {jobs, plural, =0 {0 jobs restored} one {# job restored ({numbers})} other {# jobs restored ({numbers})}}.',
  'cli.recover.cleared':
    '{count, plural, one {# file} other {# files}} left the quarantine: every replica has the same bytes.',
  'cli.recover.problems':
    '{count, plural, one {# problem} other {# problems}}; what could not be recovered is unchanged:',
} as const
