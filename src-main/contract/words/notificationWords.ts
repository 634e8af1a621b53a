/** Notifications, their rules, and why one could not be delivered. */
export const notificationWords = {
  'notification.kind.harvestDeactivated': 'Harvest deactivated',
  'notification.kind.jobFailed': 'Job failed',
  'notification.kind.abnormalRun': 'Abnormal run',
  'notification.kind.copiesDamaged': 'Damaged or missing copies',
  'notification.kind.backupFailed': 'Backup failed',
  'notification.kind.deliveryFailed': 'Documents not delivered',
  'notification.kind.deliveryUnknown': 'Unknown whether delivered',
  'notification.kind.problem': 'Error',
  'notification.kind.undelivered': 'Notification not delivered',
  'notification.kind.test': 'Test',
  'notification.test': 'This is a test notification from Loupe.',
  'notification.jobFailed': 'Job {job} ({harvest}) failed: {problem}',
  'notification.harvestDeactivated': 'Harvest {harvest}: {problem}',
  'notification.abnormalRun': 'Run {run} of harvest {harvest} is abnormal. {alarm}',
  'notification.copiesDamaged':
    'A check found {count, plural, one {# copy that needs} other {# copies that need}} attention. "loupe preserve status" lists them.',
  'notification.deliveryFailed':
    'Delivery plan {plan}: {destination} has refused documents, or they were given up. "loupe plan status {plan}" counts them.',
  'notification.deliveryUnknown':
    'Delivery plan {plan}: it is not known whether documents have arrived at {destination}. They are not sent again unless you retry them: "loupe plan status {plan}" counts them as Indexing.',
  'notification.scanFailed': 'Delivery plan {plan}: the scan of {scanner} failed. {problem}',
  'notification.undelivered': 'A notification could not be sent through {channel}, and was given up: {problem}',
  'notification.log': '{kind}: {text}',
  'notification.log.times': '{kind} ({times} times): {text}',
  'notification.email.subject': 'Loupe: {kind}',
  'notification.email.body':
    '{text}\n\nArchive: {archive}\nTime: {time} (UTC)\nReported {times, plural, one {# time} other {# times}}',
  'notification.email.unset': 'E-mail is not set up: set notifications.smtp and notifications.from.',
  'notification.email.recipient': 'E-mail needs an address: write the rule as "… -> email:NAME@HOST".',
  'notification.email.refused': 'The mail server refused it: {problem}',
  'notification.email.noTls': 'The connection to the mail server could not be encrypted: {problem}',
  'notification.email.unreachable': 'The mail server could not be reached: {problem}',
  'notification.webhook.unset': 'There is no webhook: set notifications.webhook.',
  'notification.webhook.status': 'The webhook answered with status {status}.',
  'notification.webhook.unreachable': 'The webhook could not be reached: {problem}',
  'notification.module.unset': 'There is no module: set notifications.module.',
  'notification.module.failed': 'The module failed: {problem}',
  'notification.rule.form':
    'The rule "{rule}" must have the form "KINDS [in HARVEST] -> CHANNELS", for example "errors -> desktop, email:anna@library.example".',
  'notification.rule.kind': 'The rule "{rule}" names no known kind: "{word}". Known: all, errors, warnings, {known}.',
  'notification.rule.channel': 'The rule "{rule}" names no known channel: "{word}". Known: {known}.',
} as const
