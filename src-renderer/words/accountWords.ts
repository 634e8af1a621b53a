/** Logging in to a server with accounts. */
export const accountWords = {
  'logIn.title': 'Log in to Loupe',
  'logIn.name': 'Account',
  'logIn.password': 'Password',
  'logIn.submit': 'Log in',
  'logIn.provider': 'Log in with {name}',
  'logIn.ended.title': 'You are logged out',
  'logIn.ended.text':
    'Your session has ended: its time was over, or an administrator ended it. Nothing is lost: running jobs continue.',
  'logIn.menu': 'Account {name}',
  'logIn.logOut': 'Log out',
  'logIn.logOutElsewhere': 'The server in front of Loupe logged you in. Log out there.',
} as const
