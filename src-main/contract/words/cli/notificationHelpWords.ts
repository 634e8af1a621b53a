/** Help and output of `loupe notifications`. */
export const notificationHelpWords = {
  'help.metrics': 'print the numbers of the engine, as text for Prometheus',
  'help.notifications': 'show notifications, and test how they are sent',
  'help.notifications.list': 'list notifications, newest first; exit code 1 if errors are unread',
  'help.notifications.severity': 'only notifications of this severity',
  'help.notifications.unread': 'only unread notifications',
  'help.notifications.limit': 'list at most this many',
  'help.notifications.read': 'mark all notifications as read',
  'help.notifications.test': 'send a test notification now, and print the answer',
  'help.notifications.channel': 'how it is sent',
  'help.notifications.recipient': 'address, for email',
  'cli.notifications.none': 'There are no notifications.',
  'cli.notifications.read': '{read, plural, one {# notification} other {# notifications}} marked as read.',
  'cli.notifications.tested': 'Sent through {channel}. {answer}',
  'cli.notifications.waiting': '{channel} (waiting)',
  'cli.notifications.delivered': '{channel}',
  'cli.notifications.failed': '{channel} (failed)',
} as const
