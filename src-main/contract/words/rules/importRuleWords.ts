/** What the rules about imported files mean for the owner of a file, and what to do. */
export const importRuleWords = {
  'rule.importRecompressed':
    'Records that share a gzip member cannot be addressed one by one, so the archive stores each in a member of its own. Headers and blocks are unchanged, but the checksum of the file differs. Offsets in findings refer to the original file.',
  'rule.importLeftOut':
    'A damaged record cannot be recompressed, so it was not imported. Keep the original file: loupe salvage extracts what can be read.',
  'rule.importLeftInPackage':
    'Only the archive files, manifest, page lists and logs of a package are imported. This file is none of these, cannot be read, or exceeds a limit on size or number. Keep the package if you need it.',
} as const
