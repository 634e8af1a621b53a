/** A temporary folder for data that does not fit into memory. It is created on first use and removed when the verb ends. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Runs `act` with a function that returns the folder. The folder is removed when `act` has finished. */
export async function withTemporaryFolder<T>(act: (folder: () => Promise<string>) => Promise<T>): Promise<T> {
  let made: Promise<string> | undefined
  try {
    return await act(() => (made ??= mkdtemp(join(tmpdir(), 'loupe-'))))
  } finally {
    if (made) await rm(await made, { recursive: true, force: true })
  }
}
