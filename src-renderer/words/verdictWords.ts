/** Text about verdicts. */

export const verdictWords = {
  'verdicts.title': 'Verdict',
  'verdicts.none': 'Not judged',
  'verdicts.value.good': 'Good',
  'verdicts.value.minor': 'Minor faults',
  'verdicts.value.bad': 'Bad',
  'verdicts.value.unusable': 'Unusable',
  'verdicts.note': 'Note',
  'verdicts.note.hint': 'Why. It is saved when you leave the field.',
  'verdicts.note.first': 'Give a verdict first.',
  'verdicts.previous': 'Previous page',
  'verdicts.next': 'Next page',
  'verdicts.ofJob': 'Verdict on the job',
  'verdicts.progress':
    '{judged} of {audited, plural, one {# page} other {# pages}} judged: {good} good, {minor} with minor faults, {bad} bad, {unusable} unusable.',
  'verdicts.unstored':
    '{count, plural, one {# change is} other {# changes are}} not in the files of the job yet. Changes are stored when you leave this screen.',
  'verdicts.store': 'Store now',
  'verdicts.isUnjudged': 'Only pages without a verdict',
  'shortcuts.group.pageAudits': 'Page audits',
  'shortcuts.verdict': 'Good, minor faults, bad, unusable, not judged',
  'shortcuts.verdict.pages': 'Next page, previous page',
} as const
