/**
 * Pictures of archived pages as files: the request and its result. Each shell draws pages in its own way: Electron takes the picture from
 * its view, the server shell uses a Chromium without a window.
 */
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
  /** Width of the layout for an image. */
  widthPx: z.int().min(pictureWidthPx.min).max(pictureWidthPx.max).default(1280),
})

/** Shape of a finished picture. */
export const picture = z.object({
  /** Path of the file. */
  path: z.string(),
  bytes: count,
  /** Address and time of capture of the page that is shown, after redirects. */
  url: z.string(),
  captured: time,
  made: time,
  /** Whether the page is longer than an image can be, so that the picture shows its beginning. */
  isCut: z.boolean(),
  /** Whether everything that the page requested was loaded. */
  isLoaded: z.boolean(),
})
export type Picture = z.output<typeof picture>

export const pictureCalls = {
  /** Draws a page of the present view, in a separate browser, into a new file in the archive's folder. */
  take: call(pictureAsked, picture),
}
