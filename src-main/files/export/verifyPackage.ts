/**
 * Verifies a new package by reading it: its list of contents, and every file in it against its digest in the manifest.
 */
import type { ByteSource } from '../../formats/bytes/fileWindow.ts'
import { digester } from '../../formats/bytes/digest.ts'
import { openWacz } from '../../formats/wacz/wacz.ts'
import { entryChunks, zipEntry } from '../../formats/wacz/zip.ts'
import { Refusal } from './refusal.ts'
import { message, type Message } from '../../contract/words/message.ts'
import type { Finding } from '../../formats/rules/finding.ts'

/** Throws `Refusal` when something differs. */
export async function verifyPackage(source: ByteSource, bytes: number): Promise<void> {
  const odd: Message[] = []
  const note = (found: Finding) => void odd.push(found.message)
  const wacz = await openWacz(source, bytes, note)
  for (const { path, hash, bytes: length } of wacz.dataPackage?.resources ?? []) {
    const entry = zipEntry(wacz.zip, path)
    const read = digester('sha256')
    let count = 0
    if (entry) {
      for await (const chunk of entryChunks(wacz.zip, entry, note)) {
        read.update(chunk)
        count += chunk.length
      }
    }
    if (count !== length || `sha256:${read.hex()}` !== hash) odd.push(message('export.differs.digest', { path }))
  }
  const [problem] = odd
  if (problem) throw new Refusal('damaged', message('export.differs', { problem }))
}
