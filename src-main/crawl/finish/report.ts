/** A report of a job's metadata file. */

/** A report as a record of the metadata file. */
export interface Report {
  /** Part of the metadata URL. */
  part: 'setup' | 'reports' | 'logs'
  name: string
  contentType: string
  text: () => Iterable<string | Uint8Array>
}

/** Makes a report of lines. */
export function plainText(part: Report['part'], name: string, text: () => Iterable<string>): Report {
  return { part, name, contentType: 'text/plain', text }
}
