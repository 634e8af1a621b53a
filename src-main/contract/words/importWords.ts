/** Import of archive files: what became of each file, and why one was refused. */
export const importWords = {
  'import.imported': '{name}: {captures, plural, one {# capture} other {# captures}} imported.',
  'import.known': '{file}: {problem}',
  'import.refused': '{file} was not imported: {problem}.',
} as const
