/** Help and output of `loupe search`. */
export const searchHelpWords = {
  'help.search': 'search in the text of archived documents (docs/search.md)',
  'help.search.query':
    'words, "phrases", beginnings*, -not, a OR b, and host: type: before: after: job: status: lang: url:',
  'help.search.jobs': 'only in these jobs',
  'help.search.limit': 'list at most this many results (default: 20)',
  'help.search.offset': 'leave out this many results at the beginning',
  'help.search.facets': 'count the results by host, type, year, language, job and status',
  'help.search.url': 'list captured URLs instead, from the index that the viewer reads',
  'help.search.match': 'how URLs are compared with --url; pattern: * stands for any text (default: prefix)',
  'help.search.after': 'with --url: begin after this key, which the search before has named',
  'help.search.export':
    'write the captures that match, with what their pages need to be displayed, to a new file NAME.wacz or NAME.warc.gz',
  'help.search.build': 'add the text of jobs to the index, from their archive files',
  'help.search.build.jobs': 'jobs whose text is added',
  'help.search.list': 'list the jobs in the text index',
  'help.search.drop': 'remove the text of jobs from the index',
  'help.search.drop.jobs': 'jobs whose text is removed',
  'cli.search.total':
    '{total, plural, =0 {Nothing was found.} one {# document was found.} other {# documents were found.}}{shown, plural, =0 {} other { Shown: {from, number} to {to, number}.}}',
  'cli.search.emptyIndex': 'The text index is empty. "loupe search build --jobs NUMBER" adds the text of a job.',
  'cli.search.suggestion': 'Did you mean: {query}',
  'cli.search.place': '{time} · job {job} · {mediaType}',
  'cli.search.place.noJob': '{time} · {mediaType}',
  'cli.search.more':
    '{captures, plural, one {# capture} other {# captures}}{urls, plural, one {} other { of # URLs}} with this content',
  'cli.search.urlOrWords': 'Search for words or for a URL (--url), not both.',
  'cli.search.export.name': '{path}: the name of an export of matches ends in .wacz or .warc.gz.',
  'cli.search.urls.none': 'No URL was found.',
  'cli.search.urls.more': 'There may be more: --after "{key}"',
  'cli.search.urls.missing': '{files, plural, one {# file} other {# files}} could not be read.',
  'cli.search.jobsNeeded': 'Name the jobs: --jobs 1,2.',
  'cli.search.built':
    '{documents, plural, one {# document was} other {# documents were}} added from {files, plural, one {# file} other {# files}}.{unreadable, plural, =0 {} other { The text of # could not be read.}}',
  'cli.search.dropped': '{captures, plural, one {# capture was} other {# captures were}} removed from the text index.',
} as const
