/** Texts that findings of several rules share. */
export const sharedFindingWords = {
  'found.within': '{path}: {finding}',
  'found.inBlock': '{finding} (Byte {offset} of the block.)',
  'found.more': '{count, plural, one {# more finding} other {# more findings}} of this kind.',
  'found.moreInFile': '{count, plural, one {# more finding} other {# more findings}} in this file.',
  'found.noMember': 'The bytes at {offset} are not a gzip member.',
  'found.missing': 'A record of type {type} has no {field}.',
  'found.empty': '{field} is empty in a record of type {type}.',
  'found.unexpected': 'A record of type {type} has the field {field}.',
  'found.value': '{field} is "{value}".',
  'found.contentType': 'The Content-Type of this {type} record is {contentType}.',
  'found.blockEmpty': 'The block is empty.',
  'found.blockBegins': 'The block begins with "{line}".',
} as const
