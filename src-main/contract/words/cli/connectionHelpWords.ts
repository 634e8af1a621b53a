/** Help and output of `loupe connections`, and of the options that name a connection. */
export const connectionHelpWords = {
  'help.connections':
    'connections, which jobs share: a connector with its settings, a maximum and throttles under a name',
  'help.connections.list': 'list connections with the number of their jobs',
  'help.connections.list.kind': 'only sources (repository) or only outputs',
  'help.connections.show': 'show one connection with its throttles and jobs',
  'help.connections.add': 'add a connection',
  'help.connections.edit': 'change a connection; running jobs continue with it at their next document',
  'help.connections.remove': 'remove a connection that no job and no template uses',
  'help.connections.check': 'check whether a connection, or each of them, can be used now',
  'help.connections.name': 'name of the connection',
  'help.connections.connector': 'what it connects to (default: "web")',
  'help.connections.description': 'what the connection is for',
  'help.connections.maxConnections':
    'uses at once over all jobs: URLs fetched from a source, or jobs that write to an output (default: 10)',
  'help.connections.throttle':
    'limits for each host that matches, and what they are for: "example\\.org$=fetches:30,connections:1 # slow server"; can be repeated',
  'help.connections.clear':
    'remove what the option of this name set: throttle, description, changed-since, older-parts or hidden; can be repeated',
  'help.harvest.connection':
    'connection to fetch from, instead of --connector; its seeds must be absolute paths or URLs',
  'help.harvest.outputConnection': 'connection to write to, instead of --output',
  'cli.connections.none': 'There are no connections: "loupe connections add NAME" creates one.',
  'cli.connections.removed': 'Connection {name} was removed.',
  'cli.connections.one': '{name}: {title} ({kind}), {most, plural, one {# use at once} other {at most # uses at once}}',
  'cli.connections.settings': 'Settings: {settings}',
  'cli.connections.throttle': 'Throttle {match}: {limits}',
  'cli.connections.throttle.described': 'Throttle {match}: {limits} – {description}',
  'cli.connections.limit.fetches': '{count} requests per minute',
  'cli.connections.limit.connections': '{count, plural, one {# request at once} other {# requests at once}}',
  'cli.connections.limit.bytes': '{amount} per second',
  'cli.connections.job': 'Job {job}: {name} ({status})',
  'cli.connections.jobs.more': '{count, plural, one {# older job} other {# older jobs}} not shown.',
  'cli.connections.checked': '{name}: {status}',
  'cli.option.connection': '{option} cannot be given together with {connection}, which names all of it.',
} as const
