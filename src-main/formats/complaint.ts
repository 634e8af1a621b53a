/** What is strange in bytes we read, said to a person: parsing gives a value and a list of these. Deliberately not an
 *  error: nothing here stops a reader; a world that refuses (disk, network) travels as a fault instead. */

export interface Complaint {
  /** One word for machines, for counting and filtering, for example `chunkSizeBroken`. */
  code: string
  /** One sentence for a person. */
  text: string
  /** Where: bytes from the start of whatever was parsed (of the file, once a file reader passes it on). */
  offset?: number
  /** error: bytes are lost or lie. warning: against the standard, but understood. note: allowed, worth knowing. */
  severity: 'error' | 'warning' | 'note'
}
