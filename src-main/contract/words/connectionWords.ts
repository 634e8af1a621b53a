/** Connections: why one cannot be used, changed or removed, and the result of its check. */
export const connectionWords = {
  'connection.absent':
    'There is no connection "{name}": add it first ("loupe connections add", or Settings, Connectors).',
  'connection.exists': 'There is already a connection "{name}": choose another name.',
  'connection.isOutput': 'The connection "{name}" is an output: it cannot be the source of a harvest.',
  'connection.isRepository': 'The connection "{name}" is a source: it cannot be the output of a harvest.',
  'connection.connector':
    'The connection "{name}" uses the connector "{connector}", which cannot be changed: add another connection.',
  'connection.noThrottles': 'The connection "{name}" is an output, and only sources have throttles.',
  'connection.used':
    'The connection "{name}" cannot be removed: {count, plural, one {the job {names} uses it. Edit the job or delete it} other {# jobs use it: {names}. Edit the jobs or delete them}} first.',
  'connection.usedByTemplates':
    'The connection "{name}" cannot be removed: {count, plural, one {the template {names} names it. Edit the template} other {# templates name it: {names}. Edit the templates}} first.',
  'connection.working': 'Connection working',
  'connection.pattern': 'The throttle pattern {pattern} is not valid: {problem} Edit the throttles of the connection.',
  'connection.noFolder': 'The folder {path} of job {job} does not exist.',
  'connection.folderUnreadable': 'The folder {path} of job {job} cannot be read: {problem}',
} as const
