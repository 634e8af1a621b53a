/** Causes of a failed or unusual capture, in addition to its reason. Each follows a reason, so it begins without a capital. */
export const captureWords = {
  'capture.badScheme': 'only http and https URLs with a host can be fetched',
  'capture.untrusted':
    'the certificate is not trusted ({problem}), so passwords and cookies are not sent there unless the login allows untrusted certificates',
  'capture.stopped': 'stopped while waiting for the response',
  'capture.silent': 'the server stopped sending before the header was complete',
  'capture.tooSlow': 'no complete header within the time limit for one response',
  'capture.unreadable': 'the response could not be read',
  'capture.closed': 'the connection closed before the header was complete',
  'capture.answered': 'the server answered {status}',
  'capture.unchangedByList': 'unchanged according to its list',
  'capture.robotsFailed': '{url}: {reason}',
  'capture.disallowed': 'disallowed',
  'capture.leftOut': 'left out: {entries}',
  'capture.leftOut.more': 'left out: {entries}, and {count} more',
  'capture.entry': '{name}: {why}',
  'capture.entriesOver': '{count} more than {most} entries',
  'capture.entry.notUtf8': 'the name is not valid UTF-8',
  'capture.entry.link': 'symbolic link (not followed)',
  'capture.entry.gone': 'it no longer exists',

  'scope.requisiteDepth': 'embedded more than {most} levels deep',
  'scope.outside.any': 'outside the Web',
  'scope.outside.page': 'not a seed',
  'scope.outside.prefix': 'outside the folders of the seeds',
  'scope.outside.host': 'outside the hosts of the seeds',
  'scope.outside.domain': 'outside the registered domains of the seeds',
  'scope.notListed': 'not listed',

  'seed.notUrl': '"{text}" is not a URL that can be harvested. Enter one like https://example.org/.',
  'seed.notFolder': '"{text}" is not a folder on this computer. Enter a full path like /home/me/pictures.',
  'budget.notDomain': '"{text}" is not a domain. Enter one like example.org.',
} as const
