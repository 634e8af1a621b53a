/** The part of a view's index that someone may see. */
import type { Sight } from '../../access/access.ts'
import { partOf, type CaptureIndex } from '../../indexes/indexes.ts'

export function partFor(index: CaptureIndex, { everything, capture }: Sight): CaptureIndex {
  return everything ? index : partOf(index, capture)
}
