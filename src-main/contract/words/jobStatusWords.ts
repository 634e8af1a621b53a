/** What a job does or waits for, when its schedule runs it, and what its last run needs attention for. */
export const jobStatusWords = {
  'jobStatus.noEngine': 'Loupe is not running on this archive. The job resumes when Loupe is started.',
  'jobStatus.notScheduled': 'Not scheduled. Start it manually.',
  'jobStatus.scheduleOff': 'The schedule is off. Start the job manually.',
  'jobStatus.scheduleOver': 'The schedule has no more time windows. Start the job manually.',
  'jobStatus.nextRun': 'Next run: {time}.',
  'jobStatus.outside': 'Outside its time window until {time}.',
  'jobStatus.outside.over':
    'Outside its time window, and the schedule has no more time windows. Change the schedule or stop the job.',
  'jobStatus.paused': 'Paused by a user.',
  'jobStatus.paused.inWindow': 'Paused by a user. Its time window closes at {time}.',
  'jobStatus.paused.outside': 'Paused by a user. {outside}',
  'jobStatus.ending': 'The time window has ended. Finishing requests in progress, then waiting until {time}.',
  'jobStatus.ending.over':
    'The time window has ended. Finishing requests in progress. The schedule has no more time windows: change the schedule or stop the job.',
  'jobStatus.noWindow': 'No time window: runs until finished.',
  'jobStatus.inWindow': 'Runs until its time window closes at {time}.',
  'jobStatus.fetching': 'Fetching: {inProgress} in progress, {queued} queued.',
  'jobStatus.queueEmpty': 'The queue is empty. The job is about to finish.',
  'jobStatus.politeness': 'Waiting {duration} before the next request (politeness).',
  'jobStatus.politeness.hosts': 'Waiting {duration} before the next request to {hosts} hosts (politeness).',
  'jobStatus.login': 'Logging in. Waiting for the login: {urls, plural, one {# URL} other {# URLs}}.',
  'jobStatus.dueLater': 'All queued URLs are due later, next in {duration}.',
  'jobStatus.throttled':
    'A throttle rule blocks all requests to {host} (0 requests per minute), and nothing else is queued. Stop the job, or start a harvest with a different rule.',
  'jobStatus.throttled.hosts':
    'A throttle rule blocks all requests to {hosts} hosts (0 requests per minute), and nothing else is queued. Stop the job, or start a harvest with a different rule.',
  'jobStatus.preparing': '{queued} queued. Preparing the next requests.',

  'stop.DOWNLOAD_COMPLETE': 'Completed: all URLs in scope were visited.',
  'stop.OBJECT_LIMIT': 'Ended: URL limit reached.',
  'stop.SIZE_LIMIT': 'Ended: size limit reached.',
  'stop.TIME_LIMIT': 'Ended: time limit reached.',
  'stop.DOWNLOAD_UNFINISHED': 'Ended before all URLs in scope were visited.',

  'jobFinding.nothingFetched': 'Nothing was fetched.',
  'jobFinding.stopped': 'The job was stopped early. URLs still in the queue were not fetched.',
  'jobFinding.dryRun': 'Dry run: URLs were counted, nothing was archived.',
  'jobFinding.failed': '{count, plural, one {# URL} other {# URLs}}: {reason}',
  'jobFinding.truncated': '{count, plural, one {# capture is} other {# captures are}} incomplete: {reason}',
  'jobFinding.filesRefused':
    '{count, plural, one {# file} other {# files}} could not be imported. See the list of files for the reasons.',
  'jobFinding.filesWithErrors': 'Errors were found in {count, plural, one {# file} other {# files}}. See the findings.',
  'jobFinding.filesKnown': 'No files imported: the archive already has them.',
  'jobFinding.noFiles': 'No files imported.',
  'jobFinding.noCaptures':
    '{count, plural, one {The imported file has} other {The # imported files have}} no captures, so there is nothing to replay.',
  'job.leftStoring':
    'The job was stopped while its files were being stored. Files that are not in every replica yet wait in the job folder and are stored at the next start of Loupe.',
} as const
