/** Why a login failed or waits, and where credentials are kept. Reasons follow a colon, so they begin without a capital. */
export const loginWords = {
  'login.sessionEnded': 'the session had ended',
  'login.waiting': 'another login is in progress',
  'login.stopped': 'stopped while logging in',
  'login.inVain': 'pages still show no login right after every login',
  'login.repeatedly': '{why}, {count} times in a row',
  'login.noForm': '{url} has no form with the fields {user} and {password}',
  'login.sendsElsewhere': 'the form sends the password to {origin}, which the login does not name',
  'login.sentOn': 'the password would be sent on to {origin}, which the login does not name',
  'login.rejected': '{url} did not accept this name and password',
  'login.answered': '{origin} answered {status}',
  'login.redirects': '{url} redirects without end',
  'login.unanswered': '{origin}: {why}',
  'login.wrongScheme': 'the server asks for {schemes}, not for {kind}',
  'login.noScheme': 'the server does not name the kind of authentication that it expects, so {kind} is not used',
  'login.colon': 'a name with a colon cannot be sent',
  'login.notAccepted': 'the server does not accept this name and password',

  'credential.unknown': 'There is no credential "{name}".',
  'credential.missing': 'there is no credential "{name}". Set it, then restart the job',
  'credential.lost': 'the key store no longer has the credential "{name}". Set it again',
  'credential.unreadable': 'the credential "{name}" could not be read: {why}',
  'credential.elsewhere':
    'the credential "{name}" was saved by a different way of starting Loupe ({store}). Set it again here',
  'credential.refused': 'The credential could not be changed: {why}.',
  'program.absent': '{program} is not installed',
  'program.timeout': '{program} did not end in time',
  'program.failed': '{program} could not be started ({detail})',
  'program.killed': '{program} was ended by the signal {detail}',
  'keyStore.noAnswer': 'the key store did not answer: {problem}',
  'keyStore.refused': 'the key store refused ({program}, exit code {code}): {problem}',
  'keyStore.otherKey': 'the credential was encrypted with another key',
  'keyStore.damaged': '{path} is damaged. Move it away and set the credentials again',

  'keyStore.secretTool': 'In the keyring of this account (Secret Service).',
  'keyStore.keychain': 'In the keychain of this account.',
  'keyStore.dataProtection': 'In a file of the archive that only this Windows account can decrypt (Data Protection).',
  'keyStore.sealedFile':
    'In a file of the archive, encrypted with a key that the operating system keeps for this account.',
  'keyStore.plainFile':
    'In the file credentials.json of the archive, not encrypted, because this system offers no key store. Only this account may read the file. Anyone who can read the files of this account, or a backup of them, can read the password.',
} as const
