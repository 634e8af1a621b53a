/** The bounds of an import, each with its unit in its name and its reason beside it. */

/** Findings of one rule in one file that are kept with their place: whoever has more has one fault, not a thousand. */
export const findingsPerRuleMax = 100

/** A finding's text is a sentence; what it quotes may be long. */
export const findingCharactersMax = 500

/** Files that are being taken in at the same time. The pool of threads has its own bound, one a core; a few more keep it
 *  busy while others wait for the disk, and each holds a few megabytes. */
export const filesAtOnceMax = 16

/** A person reads a bar no more often, and each time costs a commit. */
export const progressEveryMs = 400

/** Where a viewing may begin: as many pages of an import are offered as its seeds. */
export const seedsMax = 5

/** What a package says about itself (pages.jsonl with the text of its pages, say) is kept up to here: the largest that
 *  Browsertrix wrote in our corpora have some megabytes, and a zip entry may inflate to anything. */
export const documentBytesMax = 256 * 1024 * 1024

/** Files and documents that are taken out of one package: each is a row of the database. */
export const partsMax = 100_000

/** One read on the way of a copy, as the archive's own copies have it. */
export const copyChunkBytes = 1024 * 1024

/** Index lines of a file that are looked through for its first pages: a file of pictures has none. */
export const pageLinesMax = 10_000

/** A HAR in gzip unpacks to anything. The largest that browsers save have some hundred megabytes. */
export const unpackedHarBytesMax = 4 * 1024 * 1024 * 1024
