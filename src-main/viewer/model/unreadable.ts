/** A capture is listed in the index, but its record cannot be read: it is damaged, or no replica provides its file. */
export class Unreadable extends Error {}
