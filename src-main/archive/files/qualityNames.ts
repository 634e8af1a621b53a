/** Names of quality files: WARC files with what users and Loupe found out about a job, `<job>-quality-<n>.warc.gz`. */

/** With this the URIs of the records begin that are read again where a quality file is imported. */
export const qualityUriPrefix = 'urn:loupe:'

const pattern = /(?:^|-)(\d+)-quality-\d+(?:-\d+)?\.warc(?:\.gz)?$/i

/** The `number`-th quality file of a job. */
export function qualityName(job: number, number: number): string {
  return `${job}-quality-${number}.warc.gz`
}

/** Whether this is the name of a quality file, of this archive or of another: an import puts the name of the package before it, and a number
 *  after it where the name is taken. */
export function isQualityName(name: string): boolean {
  return pattern.test(name)
}

/** The job in the name of a quality file, by its number in the archive that wrote it; undefined if this is no such name. */
export function jobInQualityName(name: string): number | undefined {
  const job = pattern.exec(name)?.[1]
  return job === undefined ? undefined : Number(job)
}
