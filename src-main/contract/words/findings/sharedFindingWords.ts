/** Texts that findings of several rules share. */
export const sharedFindingWords = {
  'found.within': '{path}: {finding}',
  'found.inBlock': '{finding} (Byte {offset} of the block.)',
  'found.more': '{count, plural, one {# more finding} other {# more findings}} of this kind.',
  'found.noMember': 'The bytes at {offset} are not a gzip member.',
} as const
