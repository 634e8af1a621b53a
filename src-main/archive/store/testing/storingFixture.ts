/** The file that tests store, and checks of its copies. */
import { createHash } from 'node:crypto'
import type { Store } from '../../../storage/storage.ts'
import type { World } from '../../../world/world.ts'
import type { Archive } from '../archive.ts'
import { openChecks } from '../../testing/openChecks.ts'

export const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex')

export const limits = { freeBytesMin: 0, freeBytesToAcceptMin: 0 }

export const content = 'what is to be kept, for ever '.repeat(50)

export const file = { path: '/local', name: 'a.warc', kind: 'content', jobId: null } as const

export function raise(error: unknown): never {
  throw error
}

/** Every finding of a whole check, as `replica name finding`. */
export async function checked(parts: { archive: Archive; store: Store; world: World }, kind: 'missing' | 'checksums') {
  const { preservation, close } = await openChecks({ ...parts, onBug: raise })
  const { task: check } = await preservation.check({ kind })
  await preservation.ended(check)
  const findings = preservation.findings(check).map(({ replica, name, finding }) => `${replica} ${name} ${finding}`)
  await close()
  return findings
}
