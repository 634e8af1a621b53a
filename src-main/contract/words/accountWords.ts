/** Accounts of a server and their sessions. */
export const accountWords = {
  'account.absent': 'There is no account {name}: "loupe accounts list" shows the existing ones.',
  'account.taken': 'There is already an account {name}: choose another name.',
  'session.absent': 'There is no session {session}: it may have ended. "loupe sessions list" shows the current ones.',
  'value.accountName':
    '{field} must be a name of 1 to 64 letters, digits, ".", "_", "-" or "@" that begins with a letter or a digit',
  'confirm.needed':
    'This replaces bytes of a copy, so your password is needed again. It is the password that your account has in Loupe.',
  'confirm.wrong': 'The password is wrong.',
  'logIn.wrong': 'The name or the password is wrong.',
  'logIn.wait':
    'Too many log-ins failed. Try again in {seconds, plural, one {# second} other {# seconds}}, or ask an administrator.',
  'logIn.elsewhere': 'The server in front of Loupe logs accounts in and out. Use its own log-in.',
  'logIn.noAccount':
    'You are logged in as {name}, and Loupe has no account with this name. Ask an administrator of Loupe to add it.',
  'logIn.notBegun': 'This log-in was not begun in this browser, or took longer than {minutes} minutes. Log in again.',
  'logIn.refused': 'refused a log-in from {address}: {problem}',
  'logIn.busy': 'Too many log-ins are being checked. Try again.',
} as const
