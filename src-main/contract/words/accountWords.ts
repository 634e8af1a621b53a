/** Accounts of a server and their sessions. */
export const accountWords = {
  'account.absent': 'There is no account {name}: "loupe accounts list" shows the existing ones.',
  'account.taken': 'There is already an account {name}: choose another name.',
  'session.absent': 'There is no session {session}: it may have ended. "loupe sessions list" shows the current ones.',
  'value.accountName':
    '{field} must be a name of 1 to 64 letters, digits, ".", "_", "-" or "@" that begins with a letter or a digit',
} as const
