/** What the rules about gzip members and Zstandard frames mean for the owner of a file, and what to do. */
export const packingRuleWords = {
  'rule.memberChecksum':
    'Bytes changed after the file was written. Restore the record from another replica, or capture the page again.',
  'rule.memberDamaged':
    'The compressed data is damaged. The content before the damage was read. Restore the file from another replica.',
  'rule.memberTorn':
    'The file is truncated: the writer was interrupted, or a copy is incomplete. Compare its size with the original; loupe salvage writes a valid file with what remains.',
  'rule.memberEmpty': 'The file has a compressed member without a record. No content is affected.',
  'rule.memberBomb':
    'The compressed data is designed to fill memory or disk. The rest of it is skipped, and reading continues with the next record.',
} as const
