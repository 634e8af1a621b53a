/** Reasons why a pattern is rejected: what is wrong, why if it is not obvious, and what to write instead. Examples are values, since braces have
 *  a meaning in templates. */
export const patternWords = {
  'pattern.at': '"{part}": {problem}',
  'pattern.empty': 'An empty pattern would exclude every URL. Write a pattern, or remove it.',
  'pattern.lookahead':
    'Lookahead is not supported, because Loupe matches patterns in time that is linear in the length of the text. List what should match instead, or use one pattern that includes and one that excludes.',
  'pattern.lookbehind':
    'Lookbehind is not supported, because Loupe matches patterns in time that is linear in the length of the text. Write what comes before as a part of the pattern.',
  'pattern.backreference':
    'Backreferences are not supported, because Loupe matches patterns in time that is linear in the length of the text. Write out what repeats: {example} for a path that contains {text}.',
  'pattern.atomicGroup':
    'Atomic groups are not supported and not needed, since matching never backtracks. Write (?: instead.',
  'pattern.possessive':
    'Only one quantifier can follow an item. Possessive quantifiers are not needed, since matching never backtracks: remove the second sign.',
  'pattern.group':
    'This kind of group is not supported. Write (?: for a group, or only a parenthesis for a group whose match is used.',
  'pattern.comment': 'Comments inside a pattern are not supported. Remove this part.',
  'pattern.flag':
    'Only the flags i (ignore case) and s (the dot also matches line ends) are supported. Remove the others; ^ and $ always match the beginning and the end of the text.',
  'pattern.posixClass': 'POSIX classes are not supported. Write the characters, such as [A-Za-z] or [0-9].',
  'pattern.property':
    'This Unicode property is not supported. Use a general category or a script, such as {category}, {subcategory} or {script}.',
  'pattern.negatedProperty':
    'A negated property cannot be combined with ignoring case. Write {instead} instead of {negated}.',
  'pattern.escape':
    'This escape is not supported. To match a letter or digit itself, write it without the backslash; ^ and $ match the beginning and the end of the text.',
  'pattern.incompleteEscape':
    'This escape is incomplete. Escapes look like {hexadecimal}, {short}, {long} or {control}.',
  'pattern.trailingBackslash': 'A backslash at the end has nothing to escape. Write {escaped} to match a backslash.',
  'pattern.unclosedGroup': 'This parenthesis is never closed. Close it, or write {escaped} to match a parenthesis.',
  'pattern.unopenedGroup': 'This parenthesis was never opened. Write {escaped} to match a parenthesis.',
  'pattern.unclosedClass': 'This bracket is never closed. Close it, or write {escaped} to match a bracket.',
  'pattern.unopenedClass': 'This bracket was never opened. Write {escaped} to match a bracket.',
  'pattern.brace':
    'This brace does not begin a quantifier such as {exact}, {atLeast} or {between}. Write {opening} or {closing} to match a brace.',
  'pattern.nothingToRepeat': 'There is nothing to repeat here. Write a backslash before the sign to match it.',
  'pattern.groupName': 'The name of a group consists of letters, digits and _, and is closed by >.',
  'pattern.rangeOrder': 'This range runs backwards. Write the smaller character first.',
  'pattern.rangeEnd':
    'A range cannot begin or end with a class of characters. Put the hyphen first or last to match it.',
  'pattern.quantifierOrder': 'The smaller number of a quantifier comes first.',
  'pattern.tooManyRepeats':
    'A repetition of more than {repeatsMax, number} times, also by nested repetitions, is not supported. Use + or * if any number will do.',
  'pattern.tooDeep': 'The pattern has more than {depthMax, number} nested groups. Simplify it.',
  'pattern.tooLarge': 'The pattern is too large. Split it into several patterns, or repeat less.',
} as const
