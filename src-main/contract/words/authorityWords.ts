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
  'authority.request':
    'The request names no user, or too many: give username and domain, and further pairs as username_0 and domain_0 up to 20.',
  'authority.busy':
    'Too many questions to authorities are waiting ({count, number}). Ask again later, or raise the setting authorities.workers.',
  'authority.late':
    'There was no answer within {seconds, plural, one {# second} other {# seconds}}, which is the time limit of the connection.',
  'authority.failed': 'The connector failed: {problem}',
  'authority.mapping.failed': 'The mapping "{name}" failed: {problem}',
  'authority.domain.twice': 'The domain "{name}" is given twice: a request has one user per domain.',
  'authority.notInstalled':
    'The connection "{name}" needs the connector "{connector}", which is not installed. Nobody gets tokens until it is: install it ("loupe authorities connectors install {connector}"), or remove the connection.',
  'authority.connector.taken': 'The name "{name}" belongs to a connector of Loupe: choose another name for the module.',
  'authority.null': 'Gives no tokens',
  'authority.file': 'Reads users and their groups from a CSV file',
  'authority.file.relative': '{field} must be an absolute path.',
  'authority.file.absent': 'The file {path} does not exist.',
  'authority.file.unreadable': 'The file {path} cannot be read. Check its permissions.',
  'authority.file.large': 'The file {path} is larger than {most, number} bytes.',
  'authority.file.encoding': 'The file {path} is not encoded in UTF-8.',
  'authority.file.wrong': 'The file {path} is not used because of a mistake in it: {problem}',
  'authority.file.quotes':
    'Line {line} has quotation marks that are not closed, or that are in the middle of a field. Put the whole field in quotation marks, and write "" for one in it.',
  'authority.file.noUser':
    'Line {line} has no user: a line has a user, and then the groups of the user, with commas between.',
  'authority.file.noGroup': 'Line {line} has an empty group for the user {user}: remove the comma, or write the group.',
  'authority.pattern': 'Turns user names into other names by a regular expression',
  'authority.pattern.replacement':
    '{field} must be text with groups of the match in it: "$(1)" is the first group, "$(1l)" the same in lower case, "$(1u)" in upper case, "$(0)" the whole name.',
  'authority.ldap': 'Asks an LDAP server for the groups of a user',
  'authority.ldap.filter': '{field} is not a valid LDAP filter: {problem}',
  'authority.ldap.placeholder':
    '{field} must contain {user} or {dn}: without it, it finds the same entries for every user.',
  'authority.ldap.clear':
    'The password would be sent without encryption: use a URL that begins with ldaps://, or set startTls to "yes".',
  'authority.ldap.noPassword':
    'The credential "{credential}" has an empty password, which a server takes for no login.',
  'authority.ldap.failed': 'The LDAP server {url} gave no answer: {problem}',
  'authority.ldap.several': '{count} entries match the user {user}: change userFilter or userBase so that one is left.',
  'authority.module.answer':
    'The function {name} of the module returned something else than docs/authorities.md describes.',
  'security.absent': 'There is no security rule {rule}. "loupe security list" lists the rules.',
  'security.noTokens': 'A security rule needs at least one token, to allow or to deny.',
  'security.many':
    'There are {most, number} security rules, and no more can be added. Remove some, or use shorter SURT prefixes.',
  'security.groupUsed':
    'The authority group "{name}" cannot be removed: {count, plural, one {a security rule names it. Remove the rule} other {# security rules name it. Remove them}} first ("loupe security list").',
  'security.refused':
    'This would show captures that your account may not see. Choose jobs that you may see, or ask an administrator.',
  'security.open': 'Nothing secures this capture, so everyone sees it.',
  'security.seen': 'The user may see this capture.',
  'security.hidden':
    'The user may not see this capture: {count, plural, one {the group {names} does not agree} other {the groups {names} do not agree}}.',
} as const
