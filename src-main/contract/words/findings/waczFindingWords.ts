/** What was found in WACZ packages. A part of the code after the rule distinguishes texts of one rule. */
export const waczFindingWords = {
  'finding.waczIndexUnsorted': 'Line {line} ({key}) sorts before the line above it.',
  'finding.waczIndexLineInvalid': 'Line {line}: {text}.',
  'finding.waczIndexLineOutside': 'Line {line} points to bytes {offset} to {end} of {file}, which has {bytes} bytes.',
  'finding.waczIndexLineOutside.absent':
    'Line {line} points to bytes {offset} to {end} of {file}, which is not in the package.',
  'finding.waczIndexBlockWrong': 'Line {line}: {text}.',
  'finding.waczIndexBlockWrong.absent': 'The index {file}, whose blocks it lists, is not in the package.',
  'finding.waczIndexBlockWrong.ends':
    'Line {line} points to bytes {offset} to {end} of {file}, which are not one block.',
  'finding.waczIndexBlockWrong.digest':
    'Line {line} points to bytes {offset} to {end} of {file}, which have a different digest.',
} as const
