/** Compares a page with another capture of it, in a worker thread: decoding and comparing screenshots takes up to seconds. */
import type { Task } from '../../world/world.ts'
import { pictureDifference, type Compared } from './pictureDifference.ts'
import { textDifference } from './textDifference.ts'

/** Absent parts are not compared. */
export interface ComparisonInput {
  pictures?: Compared
  texts?: { text: string; other: string }
}

export interface ComparisonOutput {
  pixelDifference: number | null
  /** PNG in which the differences are red. */
  picture?: Uint8Array
  textDifference: number | null
}

export const task: Task<ComparisonInput, ComparisonOutput> = async (_, { pictures, texts }) => {
  const compared = pictures && pictureDifference(pictures)
  return {
    pixelDifference: compared?.difference ?? null,
    ...(compared && { picture: compared.picture }),
    textDifference: texts ? textDifference(texts.text, texts.other) : null,
  }
}
