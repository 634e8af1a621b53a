/** Text of the panel of tasks, and of the notices at their end. */
export const taskPanelWords = {
  'rail.tasks': 'Tasks',
  'rail.tasks.active': '{count, plural, one {# task is running} other {# tasks are running}}',
  'tasks.title': 'Tasks',
  'tasks.running': 'Running',
  'tasks.ended': 'Ended',
  'tasks.idle': 'Nothing is running',
  'tasks.idle.text': 'Harvests, imports, exports, checks and other long work are listed here while they run.',
  'tasks.name': '{kind}: {subject}',
  'tasks.endedAt': 'Ended {time} UTC, after {took}',
  'tasks.show': 'Show',
  'tasks.pause': 'Pause',
  'tasks.resume': 'Resume',
  'tasks.stop': 'Stop',
} as const
