/** What the rules about HAR files mean for the owner of a file, and what to do. */
export const harRuleWords = {
  'rule.harNoEntries':
    'The file has no list of entries (log.entries), so there is nothing to convert. It may not be a HAR file.',
  'rule.harTorn':
    'The file is truncated: the export was interrupted, or a copy is incomplete. The entries before this point are intact.',
  'rule.harDamaged':
    'The list of entries stops being valid JSON at this point. The entries before it are intact; export the file again.',
  'rule.harEntryDamaged': 'The entry is not valid JSON or has no URL. It is skipped.',
  'rule.harEntryTooLarge': 'The entry is larger than anything browsers export for one request. It is skipped.',
  'rule.harVersionOdd': 'The file is not HAR 1.2 or does not state its version. It is read as HAR 1.2.',
  'rule.harByteOrderMark':
    'The file begins with a byte order mark, as some Windows tools write it. No content is affected.',
  'rule.harDateInvalid': 'The entry has no valid start time, so it could not be found by date. It is skipped.',
  'rule.harFailed':
    'The request has no response: it was blocked or cancelled, or the server was not reached. It is skipped.',
  'rule.harNotWeb': 'The URL is internal to the browser (data:, blob:, an extension) or a WebSocket. It is skipped.',
  'rule.harNoBody':
    'The response had a body, but the file was exported without content. Export it "with content" to keep the body.',
  'rule.harBodyDamaged':
    'The exporting tool decoded an image or another binary body as text, so bytes are permanently lost. Capture it again.',
  'rule.harBodyAsLetters':
    'The exporting tool wrote a binary body as text, one character per byte, instead of base64. The bytes are restored from the characters.',
  'rule.harCharsetChanged':
    'Text in a HAR file is Unicode, whatever the server sent. It is written as UTF-8 with a matching Content-Type; the original Content-Type is kept in another header field.',
  'rule.harFieldOdd': 'A header field has a name or a value that is not allowed in HTTP. It is skipped or cleaned.',
} as const
