/** What was changed or left out when an archive file was recompressed, converted or salvaged. */
export const rewriteWords = {
  'rewrite.exists': '{target} already exists. Choose another target; existing files are never overwritten.',
  'rewrite.form.recompress': 'Only WARC and ARC files can be recompressed. {source} is of another format: {kind}.',
  'rewrite.form.convert': 'Only ARC and HAR files can be converted to WARC. {source} is of another format: {kind}.',
  'rewrite.form.salvage': 'Only damaged WARC and ARC files can be salvaged. {source} is of another format: {kind}.',
  'rewrite.packed': 'Decompress {source} first: a compressed HAR file cannot be converted ({kind}).',
  'rewrite.sourceChanged': '{source} changed while it was read. Try again when no program writes to it.',
  'rewrite.allDamaged':
    '{name} was not created: every record of {source} is damaged. "loupe salvage" keeps what can be read of them.',
  'rewrite.noneConverted': '{name} was not created: no record of {source} can be converted. {problem}',
  'rewrite.noneFound': '{name} was not created: no record was found in {source}.',
  'rewrite.differs': '{target} differs from what was written when it is read back, and was removed. Check the disk.',

  'rewrite.kept': '{damage} The existing bytes were kept.',
  'rewrite.block.short': 'The block has {bytes} of the {stated} bytes that its header states.',
  'rewrite.block.part':
    '{bytes} of {stated} bytes of the block were kept; {missing, plural, one {# byte is} other {# bytes are}} missing.',
  'rewrite.length.wrong': 'The length is {bytes} instead of the stated {stated}, as the digest of the block proves.',
  'rewrite.length.lost':
    'The header has no usable length; {bytes, plural, one {# byte} other {# bytes}} of the block were kept.',
  'rewrite.digest.wrong':
    'The block is complete, but does not match its digest: the block was changed, or the digest was never right.',
  'rewrite.date.missing': 'The header has no date.',
  'rewrite.date.invalid': 'The date is invalid ({date}).',
  'rewrite.date.none': 'The date is invalid ({date}), and no record of the file has a valid one.',
  'rewrite.date.other': 'The date is invalid ({date}); the date of the record at {offset} was used.',
  'rewrite.lineEnds': 'The line breaks of the header were changed to CR LF.',
  'rewrite.repeated': 'The header had {field} {count} times; only the first was kept.',
  'rewrite.type.none': 'The header has no record type.',
  'rewrite.type.added': 'The header had no WARC-Type; {type} was added, according to its Content-Type.',
  'rewrite.id.added': 'The header had no WARC-Record-ID; a new one was added.',
  'rewrite.version': 'The version was "{version}"; it is written as WARC/1.1.',
  'rewrite.oddLines':
    '{count, plural, one {# header line was not a field and was} other {# header lines were not fields and were}} left out: {line}.',
} as const
