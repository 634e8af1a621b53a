/** Reads the documents of one archive file into the text index. It continues where an earlier attempt ended: documents and position are
 *  written together. */
import { extractionVersion } from '../../formats/text/extracted.ts'
import { readRecords } from '../../formats/records/readRecords.ts'
import type { TaskContext } from '../../world/world.ts'
import { documentReader } from './reading/documentReader.ts'
import { textWriteStatements } from './store/textIndex.sql.ts'
import { openTextStore } from './store/textStore.ts'
import { textWriter, type TextDocument } from './store/textWriter.ts'
import { documentOf } from './build/archivedDocuments.ts'

/** A file to read. */
export interface ReadFileInput {
  /** Path of the index. */
  index: string
  /** Path of a copy of the file. */
  path: string
  name: string
  /** 0: of no job. */
  job: number
  /** Documents in one transaction, and characters of text after which one ends. */
  batchDocumentsMax: number
  batchCharactersMax: number
}

/** What was read. */
export interface TextsRead {
  /** Documents that were written. */
  documents: number
  /** Those among them whose text could not be read: they are found by their fields only. */
  unreadable: number
}

/** Reads the file to its end. Stops between two records when the signal is aborted. */
export async function task(
  { world, signal }: TaskContext<never>,
  { index, path, name, job, batchDocumentsMax, batchCharactersMax }: ReadFileInput,
): Promise<TextsRead> {
  const store = openTextStore(index)
  const reader = documentReader(world)
  const source = await world.disk.openRead(path)
  try {
    const writer = textWriter(store)
    const sql = textWriteStatements(store)
    const known = sql.file.get({ name })
    const isSame = known?.extraction === extractionVersion
    if (isSame && known?.isComplete === 1) return { documents: 0, unreadable: 0 }
    const from = isSame ? (known?.position ?? 0) : 0
    const batch: TextDocument[] = []
    let [documents, unreadable, characters] = [0, 0, 0]
    const flush = (position: number, isComplete: boolean) => {
      writer.write(batch, { name, job, position, isComplete: isComplete ? 1 : 0, extraction: extractionVersion })
      documents += batch.length
      batch.length = characters = 0
    }
    for await (const record of readRecords(source, from === 0 ? {} : { from })) {
      signal.throwIfAborted()
      if (batch.length >= batchDocumentsMax || characters >= batchCharactersMax) flush(record.offset, false)
      const document = await documentOf(record, { file: name, job, reader, has: writer.has })
      if (!document) continue
      batch.push(document)
      if (document.text?.findings.some(({ severity }) => severity === 'warning')) unreadable += 1
      characters += document.text?.text.length ?? 0
    }
    flush(await source.bytes(), true)
    return { documents, unreadable }
  } finally {
    reader.close()
    await source.close()
    store.close()
  }
}
