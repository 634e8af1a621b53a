/** The authority service: why a connection, group or domain cannot be used, changed or removed, and what authorities answer. */
export const authorityWords = {
  'authority.absent': 'There is no authority connection "{name}": add it first ("loupe authorities add").',
  'authority.group.absent': 'There is no authority group "{name}": add it first ("loupe authorities groups add").',
  'authority.group.exists': 'There is already an authority group "{name}": choose another name.',
  'authority.group.used':
    'The authority group "{name}" cannot be removed: {count, plural, one {the authority connection {names} names it. Edit it or remove it} other {# authority connections name it: {names}. Edit them or remove them}} first.',
  'authority.domain.absent':
    'There is no authorization domain "{name}": add it first ("loupe authorities domains add").',
  'authority.domain.exists': 'There is already an authorization domain "{name}": choose another name.',
  'authority.domain.used':
    'The authorization domain "{name}" cannot be removed: {count, plural, one {the authority connection {names} names it. Edit it or remove it} other {# authority connections name it: {names}. Edit them or remove them}} first.',
  'authority.mapping.absent':
    'There is no mapping connection "{name}": add it first ("loupe authorities add --kind mapping").',
  'authority.mapping.circle':
    'The mapping "{mapping}" cannot come before the mapping "{name}", because "{name}" comes before it already.',
  'authority.mapping.open': 'The connection "{name}" is a mapping, and only authorities have a domain and a group.',
  'authority.mapping.used':
    'The mapping connection "{name}" cannot be removed, because other connections name it: {names}. Edit them or remove them first.',
  'authority.tokensMany': 'The authority gave {count, number} tokens, and at most {most, number} are accepted.',
  'authority.tokenLong': 'The authority gave a token that is too long: at most {most, number} characters are accepted.',
  'authority.busy':
    'Too many questions to authorities are waiting ({count, number}). Ask again later, or raise the setting authorities.workers.',
  'authority.late':
    'There was no answer within {seconds, plural, one {# second} other {# seconds}}, which is the time limit of the connection.',
  'authority.failed': 'The connector failed: {problem}',
  'authority.mapping.failed': 'The mapping "{name}" failed: {problem}',
  'authority.domain.twice': 'The domain "{name}" is given twice: a request has one user per domain.',
  'authority.notInstalled':
    'The connection "{name}" needs the connector "{connector}", which is not installed. Nobody gets tokens until it is: install it ("loupe authorities connectors install {connector}"), or remove the connection.',
} as const
