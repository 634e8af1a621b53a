/** Help of the metrics that Prometheus reads. */
export const metricWords = {
  'metric.uptimeSeconds': 'Time since the engine was started.',
  'metric.urlsQueued': 'URLs of all jobs that wait or are being fetched.',
  'metric.tasksActive': 'Checks, imports, exports and other tasks that run.',
  'metric.notificationsWaiting': 'Deliveries of notifications that are due or repeated.',
  'metric.residentMemoryBytes': 'Memory of the process.',
  'metric.heapBytes': 'JavaScript objects of the answering thread.',
  'metric.databaseBytes': 'Size of the database.',
  'metric.databaseWalBytes': 'Size of the write-ahead log of the database.',
  'metric.diskFreeBytes': 'Free space where the archive is.',
  'metric.viewings': 'Open viewings of archived pages.',
  'metric.jobs': 'Jobs by status.',
  'metric.channelJobs': 'Submitted jobs that no harvester has taken, by channel.',
  'metric.loopPassesTotal': 'Passes of each loop.',
  'metric.loopFailuresTotal': 'Passes of each loop that failed.',
  'metric.loopLastSeconds': 'Duration of the last pass of each loop.',
} as const
