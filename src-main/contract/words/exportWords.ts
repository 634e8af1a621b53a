/** Exports: what they write, why one is refused or failed, and remarks on the result. */
export const exportWords = {
  'export.subject': '{what} to {path}',
  'export.path.inReplica': '{path} is in the folder of replica {replica}: choose a folder outside of the replicas.',
  'export.path.exists': '{path} already exists, and Loupe overwrites no file: choose another name.',
  'export.part.exists':
    '{path} already exists: another export is writing it, or left it. Wait for that export, or delete the file.',
  'export.folder.absent': 'There is no folder {folder}.',
  'export.matching': 'matches of "{query}" in {what}',
  'export.matching.all': 'matches of "{query}" in the whole archive',
  'export.matching.files': 'A search is about jobs or the whole archive: choose these instead of files.',
  'export.matching.format': 'The matches of a search are exported as WARC or WACZ: choose one of these.',
  'export.matching.narrowed':
    'The matches of a search are not narrowed any further: use host:, after: and before: in the query instead.',
  'export.matches.tooMany':
    'More than {countMax, number} captures match, which is more than one export takes: narrow the search.',
  'export.matches.none': 'No file was written: nothing in the archive matches.',
  'export.matches.added':
    '{matched, plural, one {# capture matches} other {# captures match}}; {needed, plural, =0 {their pages need no other} one {# more is needed to display the pages} other {# more are needed to display the pages}}.',
  'export.matches.absent':
    'The pages refer to {count, plural, one {# image, style or script that is} other {# images, styles and scripts that are}} not in the archive.',
  'export.matches.unavailable':
    '{count, plural, one {# match is} other {# matches are}} not in the export: the file is not in the archive, for example because the job has not ended, or no replica provides it.',
  'export.matches.cut':
    'The pages need more records than one export takes: those that match the least recently lack some. Narrow the search.',
  'export.time.order': 'The end of the period, {to}, is before its beginning, {from}: swap them.',
  'export.noSpace':
    'The export takes about {bytes} bytes, but only {free} bytes are free in {folder}: free up disk space, or choose another folder.',
  'export.noGoodCopy':
    'No replica has a good copy of {name}{more, plural, =0 {} other { and # more}}, so nothing was written: "loupe preserve checksums" finds out what is wrong.',
  'export.interrupted.whole': 'Loupe was closed just after {path} was complete: the file is whole and can be used.',
  'export.key.damaged':
    '{path} is not a key that packages can be signed with: replace it with the right file, or move it away to have a new key created.',

  'export.url': '"{url}" is not a URL. Write it as in example.org/museum, https://example.org/ or *.example.org.',
  'export.nothing': 'No file was written: there is nothing to write in {selected}.',
  'export.nothing.narrowed': 'No file was written: {selected} has no records {narrowing}.',
  'export.narrowing.url': 'under {url}',
  'export.narrowing.from': 'from {from} on',
  'export.narrowing.to': 'up to {to}',
  'export.duplicates':
    '{count, plural, one {# capture has no record in these jobs, only a crawl log line that names a duplicate. It was written as a revisit of its original.} other {# captures have no records in these jobs, only crawl log lines that name duplicates. They were written as revisits of their originals.}}',
  'export.tooLarge':
    'The selection is so large that some requests, metadata records and originals that belong to it by ID only were not searched for. Narrow the selection, or export whole jobs or files.',
  'export.originals':
    '{count, plural, one {# record was added: the original of a revisit in the selection.} other {# records were added: the originals of revisits in the selection.}}',
  'export.lost.damaged':
    '{count, plural, one {# record is damaged in the archive and is} other {# records are damaged in the archive and are}} not in this export (first: {first}). "loupe check" shows what is wrong, "loupe preserve checksums" whether another replica has a good copy.',
  'export.lost.gaps':
    '{count, plural, one {# part of an archive file} other {# parts of archive files}} could not be read as records (first: {first}) and {count, plural, one {is not} other {are not}} in this export.',
  'export.lost.incomplete':
    '{count, plural, one {# record has no valid type or date and is} other {# records have no valid type or date and are}} not in this export (first: {first}). "loupe check" shows what is missing.',
  'export.completed':
    '{count, plural, one {The header of # record} other {The headers of # records}} would be rejected by other programs and {count, plural, one {was completed} other {were completed}} for this export (first: {first}). "loupe check" shows what is wrong. The archive itself is unchanged.',
  'export.place': '{file} at {offset}',
  'export.originals.lost':
    'The archive does not have {count, plural, one {the original of # duplicate} other {the originals of # duplicates}} from crawl logs (first: {first}). The export alone cannot show {count, plural, one {the duplicate} other {the duplicates}}.',
  'export.revisits.lost':
    '{count, plural, one {# revisit refers to an original that is not in the export. The export alone cannot show the revisit.} other {# revisits refer to originals that are not in the export. The export alone cannot show the revisits.}}',
  'export.revisits.unchecked':
    'There are so many revisits that not all of them were checked for their originals in the export.',
  'export.revisits.unchecked.lost':
    'There are so many revisits that not all of them were checked for their originals in the export. At least {count, plural, one {# original} other {# originals}} is missing.',
  'export.differs': 'The new file differs from what was written and was removed. Check the disk. {problem}',
  'export.differs.bytes': 'The new file has different bytes when it is read back, and was removed. Check the disk.',
  'export.differs.rows': 'Only {read} of {written} rows can be read back, so the file was removed. Check the disk.',
  'export.differs.count':
    '{written, plural, one {# record} other {# records}} of type {type} {written, plural, one {was written} other {were written}}, but {read} can be read.',
  'export.differs.records': 'The records in the new file differ from those that were written.',
  'export.differs.lines': 'it has {read} lines, and {written} were written',
  'export.index.lacks': '{name} is not in the index: {reason}',
  'export.differs.torn': 'The record at {offset} is incomplete.',
  'export.differs.digest': '{path} does not have the digest in the manifest.',
  /** In the warcinfo record. */
  'export.duplicates.description':
    'Revisits made from crawl log lines. The crawler stored no records of these captures; it annotated their lines with duplicate:"file,offset,date" of the original.',
} as const
