/**
 * Verification of a new package by reading it as any reader would: its list of contents, and every file in it against its digest in the
 * manifest.
 */
import type { ByteSource } from '../../formats/bytes/fileWindow.ts'
import { digester } from '../../formats/bytes/digest.ts'
import { openWacz } from '../../formats/wacz/wacz.ts'
import { entryChunks, zipEntry } from '../../formats/wacz/zip.ts'
import { Refusal } from './refusal.ts'
import { textOf } from '../../contract/words/render.ts'

/** Throws `Refusal` when something differs. */
export async function verifyPackage(source: ByteSource, bytes: number): Promise<void> {
  const odd: string[] = []
  const wacz = await openWacz(source, bytes, ({ message }) => odd.push(textOf(message)))
  for (const { path, hash, bytes: length } of wacz.dataPackage?.resources ?? []) {
    const entry = zipEntry(wacz.zip, path)
    const read = digester('sha256')
    let count = 0
    if (entry) {
      for await (const chunk of entryChunks(wacz.zip, entry, ({ message }) => odd.push(textOf(message)))) {
        read.update(chunk)
        count += chunk.length
      }
    }
    if (count !== length || `sha256:${read.hex()}` !== hash)
      odd.push(`${path} does not have the digest of the manifest.`)
  }
  if (odd[0] === undefined) return
  throw new Refusal(
    'damaged',
    `The package cannot be read as it was written, so it was removed: ${odd[0]} See whether the disk is well.`,
  )
}
