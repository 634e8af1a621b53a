/** How many the engine lists at most of each (`archive/files/limits.ts`, against which a test holds these): a list of so many may
 *  go on. */
export const listedMax = { findings: 10_000, attic: 1_000, deedsOnFile: 100 }
