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
  'password.title': 'Your password again',
  'password.text':
    'What you are about to do puts other bytes in the place of a copy. Enter the password that your account has in Loupe.',
  'password.needed': 'Enter your password.',
  'password.verb': 'Continue',
  'password.sending': 'The password is being checked.',
  'logIn.menu': 'Account {name}',
  'logIn.logOut': 'Log out',
  'logIn.logOutElsewhere': 'The server in front of Loupe logged you in. Log out there.',
} as const
