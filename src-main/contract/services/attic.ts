/** Shapes of the attic, where replaced files are kept. */
import { z } from 'zod'
import { count, messageShape, time } from '../shapes/shapes.ts'

/** A file or entry that was taken out of service. Loupe removes nothing from the attic. */
export const atticEntry = z.object({
  id: z.int().min(1),
  name: z.string(),
  replica: z.string(),
  /** Null where it could not be read when it was moved. */
  sha256: z.string().nullable(),
  /** Null for an entry of a checksum replica, and where it could not be read. */
  bytes: count.nullable(),
  /** The checksum that it should have had. */
  registered: z.string(),
  who: z.string(),
  reason: messageShape,
  at: time,
  /** `open`: Loupe was interrupted, and it is not known yet whether the file was moved. */
  state: z.enum(['kept', 'open']),
  /** Path of the file that holds it. */
  where: z.string().nullable(),
  /** When the good copy replaced it. */
  replaced: time.nullable(),
  /** The name under which it was restored as a new file. */
  restoredAs: z.string().nullable(),
})
export type AtticEntry = z.output<typeof atticEntry>

/**
 * Whether the bytes of an entry are unchanged. `there`: present with the right length, not read. `right`: read and compared. `none`: a line
 * of checksums has no bytes. `unknown`: its replica cannot be used, or the entry is open.
 */
export const atticCheck = z.object({
  id: z.int().min(1),
  state: z.enum(['there', 'right', 'changed', 'gone', 'none', 'unknown']),
  message: messageShape,
})
export type AtticCheck = z.output<typeof atticCheck>
