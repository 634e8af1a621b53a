/** Lines of a job's log: what users, schedules and the engine did with the job, and what it met while it ran. */
export const jobLogWords = {
  'jobLog.asked.start': 'Start requested.',
  'jobLog.asked.startMinimal': 'Incremental run requested.',
  'jobLog.asked.pause': 'Pause requested.',
  'jobLog.asked.resume': 'Resumed.',
  'jobLog.asked.abort': 'Stopped by a user.',
  'jobLog.asked.restart': 'Restart requested.',
  'jobLog.asked.restartMinimal': 'Incremental restart requested.',
  'jobLog.asked.delete': 'Deletion requested. Archived files are kept.',

  'jobLog.started': 'Started with {seeds, plural, one {# seed} other {# seeds}}.',
  'jobLog.started.run':
    'Run {run} started with {seeds, plural, one {# seed} other {# seeds}}{known, plural, =0 {} one {, and # known URL to check again} other {, and # known URLs to check again}}.',
  'jobLog.dedup.begun':
    'Documents are compared with {count, plural, one {# capture} other {# captures}} of {jobs}; those that did not change are not stored again.',
  'jobLog.dedup.without':
    'Documents of earlier jobs are stored again, because there is no deduplication index: {problem}',
  'jobLog.dedup.jobsMissing': 'Documents are not compared with {jobs}: the archive has no files of it.',
  'jobLog.dedup.filesMissing':
    'Documents are not compared with the captures in {count, plural, one {# file} other {# files}} of earlier jobs that cannot be read.',
  'jobLog.dedup.tooLong': 'The index of {jobs} was not ready within an hour.',
  'jobLog.dedup.moduleFailed': 'The module of the deduplication index failed: {problem}',
  'jobLog.dedup.moduleLeft':
    'The module of the deduplication index failed {count, number} times in a row: this run asks it no more, and stores content again',
  'jobLog.dedup.moduleAnswer': 'it did not return a list of filename and offset.',
  'jobLog.dedup.gone': 'It was removed repeatedly before it could be read.',
  'jobLog.seeds.queued':
    'Seeds read again: {added, plural, =0 {no URLs are due} one {# URL is due} other {# URLs are due}}.',
  'jobLog.window.opened': 'A scheduled time window has opened; it does not close.',
  'jobLog.window.openedUntil': 'A scheduled time window has opened; it closes at {end}.',
  'jobLog.window.ended': 'The time window has ended.',
  'jobLog.window.endedWaiting': 'The time window has ended. The job resumes in the next one.',
  'jobLog.window.clockAhead':
    'The system clock was far ahead during the last run. The schedule counts from the current time.',
  'jobLog.paused': 'Paused.',
  'jobLog.paused.windowEnded': 'Paused. The time window has ended.',
  'jobLog.stopped': 'Stopped. Everything fetched so far is kept.',
  'jobLog.restarting': 'Stopped, restarting.',
  'jobLog.interrupted': 'Loupe was closed while this job was running. The job resumes where it was.',
  'jobLog.clock.back': 'The system clock was set back by {seconds} s. The job continues.',
  'jobLog.clock.forward':
    'The system clock was set forward by {seconds} s, or the computer was suspended. The job continues.',
  'jobLog.connection.changed': 'The connection "{name}" was changed. The job continues with it at the next document.',
  'jobLog.connectors.back': 'The missing connectors are installed again. The job resumes.',

  'jobLog.end.complete': 'Everything in scope was fetched.',
  'jobLog.end.objects': 'The maximum number of URLs was reached.',
  'jobLog.end.bytes': 'The maximum size was reached.',
  'jobLog.end.noResponse': 'The run ended early: no server sent data for longer than the limit.',
  'jobLog.end.inactive': 'The run ended early: no request was in progress for longer than the limit.',
  'jobLog.end.time': 'The maximum duration was reached.',
  'jobLog.stored': 'All files are stored in all replicas.',
  'jobLog.described': 'The metadata of the run is written. Its files are stored at the next start of Loupe.',

  'jobLog.depth.approximate':
    'This job was started by an earlier version of Loupe, which recorded no links. Link depth is counted along the path by which each URL was found.',
  'jobLog.seed': 'Seed {url}: {why}',
  'jobLog.retry': '{url}: {why}. Next attempt in {seconds} s.',
  'jobLog.order.again': '{url}: no answer yet. It is requested again, as number {number}.',
  'jobLog.order.empty':
    'Number {number} of the scheduled order stays empty, so that the others need not wait. Its document is fetched later.',
  'jobLog.retry.later': '{url}: {why}. Next attempt in {minutes} min.',
  'jobLog.bug': '{url}: {reason}: {problem}',
  'jobLog.login.in': 'Logged in to {url}.',
  'jobLog.login.expired': 'The session at {url} expired. Logging in again.',
  'jobLog.login.failed': 'Login to {url} failed: {why}.',
  'jobLog.file.cut': '{name}: {bytes} bytes of unfinished records were cut off. Their URLs are fetched again.',
  'jobLog.file.shorter':
    '{name} is {bytes} bytes shorter than it was. Its {urls, plural, one {# URL is} other {# URLs are}} fetched again.',

  'queue.matching': 'matching {pattern}',
  'queue.ofHost': 'of {host}',
  'queue.matchingOfHost': 'matching {pattern} of {host}',
  'jobLog.queue.rejected':
    'URLs matching {pattern} are now rejected. Removed from the queue: {urls, plural, one {# URL} other {# URLs}}.',
  'jobLog.queue.unrejected':
    'URLs matching {pattern} are no longer rejected. Re-queued: {urls, plural, one {# URL} other {# URLs}}.',
  'jobLog.queue.deleted': 'Deleted from the queue: {urls, plural, one {# URL} other {# URLs}} {selection}.',
  'jobLog.queue.first': 'Moved to the front of the queue: {urls, plural, one {# URL} other {# URLs}} {selection}.',
  'jobLog.queue.usual': 'Moved back to its place in the queue: {urls, plural, one {# URL} other {# URLs}} {selection}.',
  'jobLog.queue.last': 'Moved to the end of the queue: {urls, plural, one {# URL} other {# URLs}} {selection}.',
  'jobLog.queue.priority': 'Priority changed to {priority} (1 = highest, 10 = lowest).',
  'jobLog.budget':
    'Budget of {domain} changed to {objects} URLs and {bytes} bytes. Removed from the queue: {dropped, plural, one {# URL} other {# URLs}}; re-queued: {restored, plural, one {# URL} other {# URLs}}.',
  'jobLog.budget.several':
    'Budgets of {domains, plural, one {# domain} other {# domains}} changed. Removed from the queue: {dropped, plural, one {# URL} other {# URLs}}; re-queued: {restored, plural, one {# URL} other {# URLs}}.',
  'jobLog.budget.unlimited': 'unlimited',

  'jobLog.definition.next': 'Definition changed: {parts}. The change applies to the next run.',
  'jobLog.definition.nextWhole':
    'Definition changed: {parts}. The change applies to the next run, which checks all URLs again.',
  'jobLog.definition.now': 'Definition changed: {parts}. The change applies immediately.',
  'jobLog.definition.nowQueued':
    'Definition changed: {parts}. The change applies immediately. Queued URLs stay in the queue unless an exclude pattern matches them.',

  'jobLog.recovered': 'The job was recovered from its files in the archive.',
  'jobLog.recovered.renumbered':
    'The job was recovered from its files in the archive. It had the number {earlier}, which another job has now.',
} as const
