/** Names of the files in a job's folder that hold the bytes of an answer too long for memory. */

const pattern = /^\.(?<runId>[^.]+)\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.body$/

/** Returns the name; `id` is a UUID, new for each answer. */
export function bodyNameOf(runId: string, id: string): string {
  return `.${runId}.${id}.body`
}

/** Returns the run that wrote the file; undefined for any other name. */
export function runIdOfBody(name: string): string | undefined {
  return pattern.exec(name)?.groups?.['runId']
}

const early = /^\.(?<runId>[^.]+)\.(?<number>\d+)\.early$/

/** Returns the name of the file with the result of a number that waits for those before it. */
export function earlyResultNameOf(runId: string, number: number): string {
  return `.${runId}.${number}.early`
}

/** Returns the run and the number of such a file; undefined for any other name. */
export function earlyResultIn(name: string): { runId: string; number: number } | undefined {
  const { runId, number } = early.exec(name)?.groups ?? {}
  return runId === undefined ? undefined : { runId, number: Number(number) }
}
