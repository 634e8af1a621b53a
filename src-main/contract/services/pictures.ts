/** Pictures of archived pages, as files: what is asked for, and what became of it. Where a page is drawn is the shell's business:
 *  Electron takes it from its view, the server shell has a Chromium without a window draw it. */
import { z } from 'zod'
import { call } from '../calls/service.ts'
import { count, time } from '../shapes/shapes.ts'

/** An image of the whole page, or its print. */
const pictureForms = ['png', 'pdf'] as const
export type PictureForm = (typeof pictureForms)[number]

/** Narrower than any page was made for, and wider than any screen. */
export const pictureWidthPx = { min: 320, max: 3840 } as const

const pictureAsked = z.strictObject({
  url: z.string(),
  form: z.enum(pictureForms),
  /** How wide the page is laid out for an image. */
  widthPx: z.int().min(pictureWidthPx.min).max(pictureWidthPx.max).default(1280),
})

export const picture = z.object({
  /** Where the file lies. */
  path: z.string(),
  bytes: count,
  /** Of what is to be seen: after redirects, and when that was captured. */
  url: z.string(),
  captured: time,
  made: time,
  /** The page is longer than an image can be: this is its beginning. */
  isCut: z.boolean(),
  /** Everything that the page asked for had come. */
  isLoaded: z.boolean(),
})
export type Picture = z.output<typeof picture>

export const pictureCalls = {
  /** Draws a page of the present view, in a browser of its own, into a new file in the archive's folder. */
  take: call(pictureAsked, picture),
}
