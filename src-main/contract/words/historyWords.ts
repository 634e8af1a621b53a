/** Labels of the values in reports about activities and URLs: kinds of activity, results, and the next action on a URL. */
export const historyWords = {
  'activity.kind.fetch': 'Fetch',
  'activity.kind.robots': 'robots.txt',
  'activity.kind.recheckUnchanged': 'Unchanged on recheck',
  'activity.kind.documentGone': 'URL gone',
  'activity.kind.login': 'Login',
  'activity.kind.jobStart': 'Job started',
  'activity.kind.jobWait': 'Job waiting',
  'activity.kind.jobContinue': 'Job resumed',
  'activity.kind.jobStop': 'Job stopped',
  'activity.kind.jobEnd': 'Job ended',

  'activity.result.taken': 'Captured',
  'activity.result.ERROR': 'Error',
  'comparison.new': 'New',
  'comparison.unchanged': 'Unchanged',
  'comparison.changed': 'Changed',
  'comparison.gone': 'Gone',
  'activity.due.fetch': 'Fetch',
  'activity.due.rescan': 'Recheck',
  'activity.due.remove': 'Remove',
} as const
