/** What was found in gzip members and Zstandard frames. */
export const packingFindingWords = {
  'finding.memberChecksum': 'The checksum of the gzip member does not match its content.',
  'finding.memberTorn': 'The file ends inside a compressed record.',
  'finding.memberTorn.zstd': 'The file ends inside a Zstandard frame.',
  'finding.memberDamaged': 'The compressed data is damaged ({problem}).',
  'finding.memberBomb': '{bytes} bytes decompress to more than {unpacked}. The rest was skipped.',
  'finding.memberEmpty': 'A compressed member is empty.',
} as const
