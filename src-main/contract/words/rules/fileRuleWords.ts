/** What the rules about files as wholes mean for the owner of a file, and what to do. */
export const fileRuleWords = {
  'rule.notAnArchive':
    'Loupe cannot read this file format. If the file is compressed in another way, decompress it first; otherwise it is not an archive file.',
  'rule.fileEmpty':
    'The file is empty, but an archive file has at least one record. The writer was interrupted, or a copy failed.',
  'rule.harOnlyImported': 'A HAR file is a browser log, not an archive file. Convert it to WARC to keep its content.',
  'rule.fileUnreadable':
    'The operating system or the disk refused to read the file, so its content is unknown. Check its permissions and the disk.',
  'rule.idsNotCompared':
    'The file has more records than Loupe tracks at once. Repeated record IDs among the later records are not detected.',
} as const
