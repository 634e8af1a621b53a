/**
 * How a process that finds an archive in use reaches the engine that uses it: a small file in the archive's folder, readable by the same
 * user only, with the address of the contract and its token. A stale file after a kill is harmless: the lock decides which process has the
 * archive, and an address that does not answer is reported.
 */
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ownFileMode } from '../../world/permissions.ts'

/** Address and token of an engine. */
export interface RunningEngine {
  /** Origin of the contract's HTTP server, such as `http://127.0.0.1:8090`. */
  origin: string
  /** Access token that every call must carry. */
  token: string
  /** Process id of the engine; 0 when unknown. */
  pid: number
}

/** Writes the file of the engine that has the archive open. */
export async function announceEngine(archiveFolder: string, engine: RunningEngine): Promise<void> {
  await writeFile(pathIn(archiveFolder), JSON.stringify(engine), { mode: ownFileMode })
}

/** Removes the file when the engine ends. */
export async function withdrawEngine(archiveFolder: string): Promise<void> {
  await rm(pathIn(archiveFolder), { force: true })
}

/** Reads the file; undefined when there is none that can be read. */
export async function announcedEngine(archiveFolder: string): Promise<RunningEngine | undefined> {
  let text
  try {
    text = await readFile(pathIn(archiveFolder), 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
  const read: unknown = JSON.parse(text)
  const isWhole =
    typeof read === 'object' &&
    read !== null &&
    'origin' in read &&
    typeof read.origin === 'string' &&
    'token' in read &&
    typeof read.token === 'string'
  return isWhole
    ? { origin: read.origin as string, token: read.token as string, pid: 'pid' in read ? Number(read.pid) : 0 }
    : undefined
}

function pathIn(archiveFolder: string): string {
  return join(archiveFolder, 'engine.json')
}
