/** Refusals of what users ask of jobs, their definitions, queues, schedules and reports. */
export const jobRefusalWords = {
  'job.notNow': 'Job {job} cannot be {action} because its state is "{status}". It can when its state is {states}.',
  'job.action.start': 'started',
  'job.action.startMinimal': 'started',
  'job.action.pause': 'paused',
  'job.action.resume': 'resumed',
  'job.action.abort': 'stopped',
  'job.action.restart': 'restarted',
  'job.action.restartMinimal': 'restarted',
  'job.action.delete': 'deleted',
  'job.undescribed':
    'Job {job} was stopped while its files were being stored, and the metadata of that run is still being written. Try again in a moment.',
  'job.unstored':
    'Job {job} has files that are stored only in its folder and not in every replica yet. Fix the replica, wait until the files are stored, then delete the job.',
  'job.import.once':
    'Job {job} is an import, which runs only once. To add files, start a new import; files that are already archived are not stored twice.',
  'job.import.noDefinition': 'Job {job} is an import and has no definition. Start a new import instead.',
  'job.import.noQueue': 'Job {job} is an import and has no queue.',
  'job.import.noSchedule': 'Job {job} is an import, which runs only once, so it cannot have a schedule.',
  'job.noQueue': 'Job {job} has no queue because its state is "{status}". Start it first.',
  'job.noRule': 'Job {job} has no rule {rule}.',

  'definition.ending':
    'Job {job} cannot be changed now: its run is ending (its state is "{status}"). Try again when it has ended.',
  'definition.deleting': 'Job {job} cannot be changed: it is being deleted (its state is "{status}").',
  'definition.fixed':
    'A run of job {job} is in progress and does not allow changes to {parts}. Nothing was changed. Stop the job first, or wait until the run has ended.',
  'definition.fixed.part': '{part} ({why})',
  'definition.why.hops': 'this run did not track link depth from its start',
  'definition.why.robots': 'the run has already visited hosts under the old rule',
  'definition.why.recheck': 'the run has already scheduled rechecks under the old rule',
  'definition.why.connectors': 'a run has one source and one output',
  'definition.why.login': 'queued pages wait for the login in progress',
  'definition.part.connectionsPerHost': 'the connections per host',
  'definition.part.connectors': 'the source and the output',
  'definition.part.delayMs': 'the delay',
  'definition.part.exclude': 'the exclude patterns',
  'definition.part.hops': 'the link depth limits',
  'definition.part.include': 'the include patterns',
  'definition.part.login': 'the login',
  'definition.part.maxBytes': 'the maximum size',
  'definition.part.maxObjects': 'the maximum number of URLs',
  'definition.part.maxSeconds': 'the maximum duration',
  'definition.part.name': 'the name',
  'definition.part.recheck': 'how URLs are rechecked',
  'definition.part.resolve': 'the IP addresses of hosts',
  'definition.part.robots': 'whether robots.txt is obeyed',
  'definition.part.scope': 'the scope',
  'definition.part.seeds': 'the seeds',
  'definition.part.throttle': 'the throttle rules',
  'definition.part.userAgent': 'the user agent',
  'definition.part.workers': 'the number of workers',

  'engine.shutDown': 'Loupe is shutting down.',
  'history.busy': 'Too many reports are running. Wait for one of them to finish.',
  'history.noOrder': 'The report {report} cannot be ordered by "{order}": its order is fixed.',
  'history.otherOrder': 'The report {report} cannot be ordered by "{order}": it can be by {orders}.',
  'history.tooLong':
    'The report took longer than {seconds, plural, one {# second} other {# seconds}} and was cancelled. Choose fewer jobs.',
  'history.tooLong.time':
    'The report took longer than {seconds, plural, one {# second} other {# seconds}} and was cancelled. Choose a shorter time or fewer jobs.',
} as const
