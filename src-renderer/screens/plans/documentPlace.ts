/** Where the content of a delivered document can be seen. The id of a document depends on the kind of its scanner. */
import type { Route } from '../../routes/routes.ts'

/** Stands between the id of a document and the number of a part of it. */
const partSign = '⇛'

/** Returns the capture or record of a document; of a part, that of the document that it was made of. Null: it is in no job and in no
 *  archived file. */
export function documentPlace(scannerKind: string | undefined, document: string): Route | null {
  const [id = ''] = document.split(partSign)
  const at = scannerKind === 'captures' ? id.indexOf(' ') : id.lastIndexOf(' ')
  if (at < 1) return null
  const [before, after] = [id.slice(0, at), id.slice(at + 1)]
  if (scannerKind === 'captures' && /^[1-9]\d{0,14}$/.test(before))
    return { place: 'capture', job: Number(before), url: after }
  if (scannerKind === 'selection' && /^\d{1,15}$/.test(after))
    return { place: 'record', file: before, offset: Number(after), number: null }
  return null
}
