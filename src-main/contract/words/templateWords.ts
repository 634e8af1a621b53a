/** Templates of crawl settings: what is wrong with one, and why it cannot be changed. */
export const templateWords = {
  'template.absent': 'There is no template "{name}".',
  'template.absent.version': 'The template "{name}" has no version {version}: its newest is {newest}.',
  'template.exists': 'There is already a template "{name}": choose another name.',
  'template.either': 'Give the settings of the template either as TOML or as values.',
  'template.builtIn': 'New domains use the template "{name}": it can be edited, but not renamed or removed.',
  'template.used':
    'The template "{name}" is used by {count, plural, one {# configuration} other {# configurations}}, such as {some}: choose another template there first.',
  'template.refused':
    'The template has {count, plural, one {# problem} other {# problems}}, and nothing was stored. {problems}',
  'template.refused.more':
    'The template has {count, plural, one {# problem} other {# problems}}, and nothing was stored. The first {shown}: {problems}',
  'template.input': 'The template',
  'template.toml': 'Line {line} is not valid TOML: {problem}.',
  'template.unknownKey': '{field} is not a setting of a template.',
  'template.unknownKey.near': '{field} is not a setting of a template: did you mean {near}?',
  'template.elsewhere': '{field} does not belong in a template: domains and harvests have their own.',
} as const
