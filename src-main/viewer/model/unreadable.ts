/** What the index promises and the archive cannot give: a damaged record, a file on a drive that is not connected. */
export class Unreadable extends Error {}
