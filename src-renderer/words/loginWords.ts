/** What is said of logging in: in the harvest form, and of credentials. */

export const loginWords = {
  'login.legend': 'Logging in',
  'login.text': 'For a site that shows some of its pages only to those it knows.',
  'login.kind': 'Does the site ask who you are?',
  'login.kind.none': 'No',
  'login.kind.none.meaning': 'Everybody sees the same.',
  'login.kind.form': 'By a form on a page',
  'login.kind.form.meaning': 'The form is filled in and sent; what is fetched afterwards carries the session.',
  'login.kind.basic': 'The browser asks (basic)',
  'login.kind.basic.meaning':
    'The server asks for name and password by itself. Over http:// they can be read on the way.',
  'login.kind.digest': 'The browser asks (digest)',
  'login.kind.digest.meaning': 'As basic, but the password itself is never sent.',
  'login.credential': 'Credential',
  'login.credential.hint': 'The harvest only names it.',
  'login.credential.new': 'A new one…',
  'login.credential.name': 'What to call it',
  'login.credential.user': 'Name of the account',
  'login.credential.password': 'Password',
  'login.credential.keep': 'Keep the credential',
  'login.credential.keeping': 'It is being kept.',
  'login.credential.incomplete': 'Give it a name, the name of the account and the password first.',
  'login.credential.kept': 'Kept.',
  'login.urls': 'Pages that need it',
  'login.urls.hint':
    'How their addresses begin, one a line, as https://example.org/members/. The password goes nowhere else.',
  'login.page': 'Page with the form',
  'login.userField': 'Field for the name',
  'login.userField.hint': 'Its name in the page’s HTML, as in name="user".',
  'login.passwordField': 'Field for the password',
  'login.success': 'Text that shows that it worked',
  'login.success.hint': 'Optional. Without it: the form is not shown again.',
  'login.loggedOut': 'Text that shows that nobody is logged in',
  'login.loggedOut.hint': 'Optional. Without it: a redirect to the page with the form.',
  'login.archived':
    'What is exchanged to log in is not archived, and passwords and cookies are taken out of the recorded requests. The pages behind the login are archived as they are: think of who may see them.',
  'job.login': 'Logs in',
  'job.login.area':
    '{kind, select, form {By form} basic {Basic access} digest {Digest access} other {}} to {urls} as “{credential}”',
} as const
