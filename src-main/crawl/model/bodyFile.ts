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
