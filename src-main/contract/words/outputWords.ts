/** Output connections: why one cannot be used, changed or removed, and what jobs report about them. */
export const outputWords = {
  'output.absent':
    'There is no output connection "{name}": add it first ("loupe outputs add", or Settings, Output connections).',
  'output.exists': 'There is already an output connection "{name}": choose another name.',
  'output.tooMany': 'An archive has at most {most} output connections.',
  'output.connector':
    'The output connection "{name}" uses the connector "{connector}", which cannot be changed: add another connection.',
  'output.used':
    'The output connection "{name}" cannot be removed: {count, plural, one {the job {names} delivers to it. Edit the job or delete it} other {# jobs deliver to it: {names}. Edit the jobs or delete them}} first.',
  'output.usedByTemplates':
    'The output connection "{name}" cannot be removed: {count, plural, one {the template {names} names it. Edit the template} other {# templates name it: {names}. Edit the templates}} first.',
  'output.working': 'Connection working',
  'output.noFolder': 'The folder {folder} does not exist.',
  'output.noIndex': 'The server answered with status {status} for this index: {problem}',
  'output.lacks':
    'The connector "{connector}" of the output connection "{name}" is not installed: register it ("loupe outputs register", or Settings, Output connections).',
  'output.notTold': 'The output connection "{name}" could not be told that the job has ended: {problem}',
  'output.late':
    'The output connection "{name}" has not received all documents of the job within {minutes} minutes: deliveries continue.',
  'outputConnector.absent': 'There is no connector "{name}": register it first ("loupe outputs register").',
  'outputConnector.result': 'The module returned something else than expected: {problem}',
} as const
