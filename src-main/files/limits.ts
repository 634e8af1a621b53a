/** Every bound of the work on files, with its reason. */

/** A line of CDXJ longer than this is none: URLs in requests end at 64 kB, and JSON escaping may double one. */
export const lineBytesMax = 512 * 1024

/** What one read of a file of lines takes, and what is gathered before one write. */
export const readBytes = 1024 * 1024
export const writtenAtOnceBytes = 64 * 1024
