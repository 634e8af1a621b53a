/** Output of the verbs about archive files, exports, uploads and batch jobs. */
export const fileOutputWords = {
  'cli.doing.check': 'Checking',
  'cli.doing.index': 'Indexing',
  'cli.doing.records': 'Reading',
  'cli.doing.recompress': 'Recompressing',
  'cli.doing.convert': 'Converting',
  'cli.doing.salvage': 'Salvaging',

  'cli.check.severity.error': 'error',
  'cli.check.severity.warning': 'warning',
  'cli.check.severity.note': 'note',
  'cli.check.good': 'good',
  'cli.check.file': '{file}: {verdict} ({what})',
  'cli.check.fileNotes': '{file}: {verdict} ({what}): {notes}',
  'cli.check.what': '{format}, {records, plural, one {# record} other {# records}}, {size}',
  'cli.check.ruleTimes': '{rule} ({count, plural, one {# time} other {# times}})',
  'cli.check.notes': '  notes: {notes}',
  'cli.check.times': '{rule}, {count, plural, one {# time} other {# times}}',
  'cli.check.more': '    … and {count} more (--all prints every occurrence)',
  'cli.check.place.record': 'record {record}',
  'cli.check.place.offset': 'at {offset}',
  'cli.check.total': '{count, plural, one {# time} other {# times}} in {files, plural, one {# file} other {# files}}',
  'cli.check.notListed': 'Not listed: {files} (--all lists every file).',
  'cli.check.summary':
    '{files, plural, one {# file} other {# files}} ({verdicts}), {records, plural, one {# record} other {# records}}: {found}. {pace}.',

  'cli.index.summary':
    '{captures, plural, one {# capture} other {# captures}} in {files, plural, one {# file} other {# files}}, {pace}.',
  'cli.index.file':
    '{path}: {captures, plural, one {# capture} other {# captures}}, {found}: "loupe check" lists the findings.',
  'cli.records.file': '{path}: {errors, plural, one {# error} other {# errors}}: "loupe check" lists the errors.',
  'cli.records.noneOf': 'There is no record {which}.',
  'cli.records.noneOfOthers': 'There is no record {which}: there are {others}.',
  'cli.records.ofType': 'of type {type}',
  'cli.records.ofUrl': 'whose URL begins with {url}',
  'cli.file.unreadable': '{path} cannot be read. {problem}',

  'cli.rewrite.done':
    '{file} ({kind}) → {target}: {records, plural, one {# record} other {# records}}, {size}, verified',
  'cli.rewrite.leftOut': '  left out: {count, plural, one {# place} other {# places}}',
  'cli.rewrite.changed': '  changed: {count, plural, one {# record} other {# records}}',
  'cli.rewrite.json': '  --json lists them all',

  'cli.bytes.copied': '{path}  {size}  sha256 {sha256}  from replica {replica}',

  'cli.export.done': '{path}  {what}, {size} in {duration} ({rate}); verified.',
  'cli.export.writing': 'Writing',
  'cli.export.verifying': 'Verifying',

  'cli.batch.done':
    'Processed {done} of {total, plural, one {# file} other {# files}}, {failed} failed; {size} in {duration} ({rate}). {output}',
  'cli.batch.stopped':
    'Stopped after {done} of {total, plural, one {# file} other {# files}}, {failed} failed; {size} in {duration} ({rate}). {output}',

  'cli.serve.running': `Archive:                  {archive}
Interface:                {url}
Proxy for archived pages: {proxy}
Any browser, rewritten:   {rewritten}
Proxy for commands:       {commandProxy} (for scripts, not for browsers)`,
  'cli.view.running': `Captures:     {captures}, of {selection}
Proxy:        {proxy}
Rewritten:    {rewritten} in any browser of this machine
Certificate:  {certificate}
Command host: {commandHost}
For scripts:  {commandProxy} as the proxy, to change what is shown and recorded
Start at:     {seeds}`,
  'cli.view.anyUrl': 'any URL',

  'cli.setting.value': '{path} = {value}',
  'cli.setting.line': '{path} = {value}  ({from})',
  'cli.setting.fromDefault': 'default',
  'cli.setting.from.archive': 'archive; default {value}',
  'cli.setting.from.user': 'user; default {value}',
  'cli.setting.example': 'Example: {value}',
  'cli.setting.withUnit': '{value} {unit}',
  'cli.settings.leftOut':
    '{replica} is no longer in the settings. Its {files, plural, one {# file stays} other {# files stay}} in {folder}, but Loupe no longer checks, counts or repairs them. To have it back, add it to the settings again.',

  'cli.credential.user': 'User name',
  'cli.credential.password': 'Password (not shown)',
} as const
