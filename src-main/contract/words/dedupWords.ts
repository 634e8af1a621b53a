/** Messages about deduplication: why a capture has no content. */
export const dedupWords = {
  'dedup.unresolved.absent': 'The archive has no capture with its content.',
  'dedup.unresolved.unavailable': 'No replica can provide the file with its content.',
  'dedup.unresolved.unavailable.file':
    'No replica can provide {file}, which has its content. Connect the replica, or repair the file.',
  'dedup.unresolved.unnamed': 'Its record names neither a payload digest nor the date of its original.',
  'dedup.unresolved.unreadable': 'Its record cannot be read.',
} as const
