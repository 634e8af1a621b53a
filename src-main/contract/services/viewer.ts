/** The viewer as the interface and the command line see it: what is looked at, what the proxy answered, what was wrong with it,
 *  and why. Pages themselves never cross the contract. */
import { z } from 'zod'
import { truncationNames } from '../states/outcomes.ts'
import { call, event } from '../calls/service.ts'
import { selecting, selectionShape } from '../shapes/selection.ts'
import { count, jobId, nothing, time } from '../shapes/shapes.ts'

/** Which capture of an address is shown: the newest, the oldest, or the one nearest to a moment. */
const moment = z.union([z.enum(['newest', 'oldest']), time])
const view = z.int().min(1)
/** Of whom: the user of a viewing of its own, which is open; '' or absent: the interface's. */
const ofViewing = z.strictObject({ viewing: z.string().optional() })
/** `view`: absent: the one that it shows. */
const findingsAsked = ofViewing.extend({ view: view.optional() })

/** The links of the viewer's chain, in the order in which they are asked; the first that answers is named in the answer. */
export const viewerLinks = [
  'controlCommands',
  'dataCommands',
  'timeCommands',
  'unknownCommand',
  'refusals',
  'noView',
  'access',
  'preflight',
  'exactCapture',
  'growing',
  'fuzzyCapture',
  'otherJobs',
  'notice',
  'missing',
] as const
export type ViewerLink = (typeof viewerLinks)[number]

/** What the browser wants it for (Fetch 2.2.5, in the words of Sec-Fetch-Dest); '' where it is unknown. */
const resourceType = z.string()
/** Those that fill a window or a frame. */
export const pageTypes: readonly string[] = ['document', 'iframe', 'frame']

export const viewSummary = z.object({
  view,
  /** As it was chosen: the jobs of everything are `growth.jobsFound`. */
  jobs: z.array(jobId),
  files: z.array(z.string()),
  all: z.boolean(),
  at: moment,
  /** Nothing further away from the moment is shown; null: however far. */
  withinDays: z.number().nullable(),
  /** No other address stands for one that was not captured; false: one may, where it differs only in what says nothing about the
   *  content, and is marked then. */
  isExact: z.boolean(),
  /** Under which the choice is kept; null: it is not. */
  name: z.string().nullable(),
  captures: count,
  /** Those of which the archive has no file. */
  jobsMissing: z.array(jobId),
  /** Files of what is viewed that no replica could give, with the first of them: their captures cannot be shown. They are looked for when
   *  the index is whole, and `changed` tells. */
  filesMissing: z.object({ count, first: z.array(z.object({ name: z.string(), reason: z.string() })) }),
  /** Records and index lines that could not be read as they should, with the first of them. */
  quarantined: z.object({
    count,
    first: z.array(z.object({ file: z.string(), offset: count.nullable(), reason: z.string() })),
  }),
  /** Of the index that answers. While it grows, what is not found may yet come, and what is asked for is answered with 503 until it
   *  has. `jobsDone` counts those of `jobsFound` that are in it as a whole. */
  growth: z.object({
    isGrowing: z.boolean(),
    filesDone: count,
    filesTotal: count,
    jobsDone: count,
    jobsFound: z.array(jobId),
  }),
  /** Where a viewing would well begin: the seeds of the chosen jobs. Of a job that was deleted none are known. */
  seeds: z.array(z.string()),
  misses: count,
  /** Archived errors and bodies that could not be read. */
  errors: count,
  /** What is missing is written down. */
  isRecording: z.boolean(),
})
export type ViewSummary = z.output<typeof viewSummary>

/** A viewing session for another browser: the name and password that the browser gives to the proxy. With `commandToken` as the
 *  password a script may change what it shows and records. */
export const ownViewing = viewSummary.extend({
  user: z.string(),
  password: z.string(),
  commandToken: z.string(),
  enter: z.string(),
})
export type OwnViewing = z.output<typeof ownViewing>

const viewAsked = z.strictObject({
  ...selectionShape,
  /** Absent: the newest. */
  at: moment.optional(),
  /** Only for a moment. */
  withinDays: z.number().positive().max(100_000).optional(),
  /** Absent: inexact answers are given, and marked. */
  isExact: z.boolean().optional(),
})
export type ViewAsked = z.input<typeof viewAsked>

/** What is opened can be looked at at once, as far as its index is; `untilWhole`: only then does the call end. */
const opening = viewAsked.extend({ untilWhole: z.boolean().optional() })

/** One request of the browser and what the viewer proxy answered. */
export const answer = z.object({
  id: count,
  view,
  /** Who asked: the user of a viewing of its own, '' for the interface's. Both may look at one view. */
  viewing: z.string(),
  at: time,
  method: z.string(),
  url: z.string(),
  referrer: z.string(),
  /** The page on whose behalf it was requested; '' where it is unknown. */
  initiator: z.string(),
  resourceType,
  /** The browser asked for a page (a frame or a window), not for a part of one. */
  navigation: z.boolean(),
  by: z.enum(viewerLinks),
  found: z.boolean(),
  status: z.int(),
  mediaType: z.string().nullable(),
  /** It is to be saved, not shown (RFC 6266 4.2). */
  isAttachment: z.boolean(),
  bytes: count.nullable(),
  captured: time.nullable(),
  /** The address of the capture, when it is not the one that was asked. */
  capturedUrl: z.string().nullable(),
  /** By which rules another address stands for the one that was asked; empty: it is the very one. */
  inexact: z.array(z.string()),
  /** Why the content of the capture is not whole, as its record says or its body shows; null: nothing says so. */
  truncated: z.enum(truncationNames).nullable(),
  job: jobId.nullable(),
  file: z.string().nullable(),
  offset: count.nullable(),
})
export type Answer = z.output<typeof answer>

export const miss = z.object({
  id: count,
  view,
  /** In whose viewing: the user of one of its own, '' for the interface's. */
  viewing: z.string(),
  url: z.string(),
  referrer: z.string(),
  initiator: z.string(),
  resourceType,
  method: z.string(),
  times: z.int().min(1),
  first: time,
  last: time,
  /** What the jobs of the view know about it: its document's outcome and reason, or that it was never queued; of a deleted job, what its
   *  crawl log says. */
  why: z.string(),
})
export type Miss = z.output<typeof miss>

/** What the archive did answer, and wrongly: the error of a server, archived as it was, or a body that cannot be read. */
const viewError = miss.extend({
  kind: z.enum(['archivedError', 'unreadable']),
  status: z.int().nullable(),
  file: z.string(),
  offset: count,
})

export type ViewError = z.output<typeof viewError>

export const capturedPage = z.object({ url: z.string(), captured: time, status: z.int(), mediaType: z.string() })
export type CapturedPage = z.output<typeof capturedPage>

/** Of the pages of a view. */
const titlesRead = z.object({ read: count, total: count })

const field = z.tuple([z.string(), z.string()])
const message = z.object({ status: z.int(), reason: z.string(), fields: z.array(field) })
const captureRow = z.object({
  url: z.string(),
  captured: time,
  /** Null: its file belongs to none. */
  job: jobId.nullable(),
  file: z.string(),
  offset: count,
  status: z.int().nullable(),
  recordType: z.string(),
})
const tried = captureRow.extend({
  isUsed: z.boolean(),
  /** Why it was not used, or cannot be read again; null: neither, or it was not needed. */
  why: z.string().nullable(),
})

export const explanation = z.object({
  view,
  url: z.string(),
  method: z.string(),
  /** Under which captures are looked up: SURT, with what was sent folded in. */
  key: z.string(),
  /** What each link of the chain that was asked had to say, in order. */
  steps: z.array(z.object({ link: z.enum(viewerLinks), text: z.string() })),
  answeredBy: z.enum(viewerLinks),
  /** Best first. */
  candidates: z.array(
    tried.extend({
      /** From the moment that is shown, signed; null: the newest or oldest is. */
      distanceMs: z.int().nullable(),
    }),
  ),
  /** By which rules another address stands for the one that was asked. */
  inexact: z.array(z.object({ rule: z.string(), meaning: z.string() })),
  /** Of revisits: the captures in which their content may lie, in the order in which it was looked for there. */
  revisitHops: z.array(tried),
  /** Why the content of the capture that answers is not whole, as its record says or its body shows; null: nothing says so. */
  truncated: z.enum(truncationNames).nullable(),
  /** The answer as it lies in the archive; null when nothing of the archive answered. */
  archived: message.nullable(),
  sent: message,
  /** Of a miss: what each job of the view knows. Null: files that belong to none, or so many jobs that they are reported together. */
  reasons: z.array(z.object({ job: jobId.nullable(), text: z.string() })),
  /** Captures outside of what is shown: at another time, in other files. */
  elsewhere: z.array(captureRow),
})
export type Explanation = z.output<typeof explanation>

export const viewerCalls = {
  /** Builds or reuses the capture index of what is selected and makes it what the proxy answers from, but for viewings of their own.
   *  `url`: where to begin: a seed, or the first page of the index where no seeds are known. */
  open: call(selecting(opening), viewSummary.extend({ url: z.string().nullable() })),
  /** A viewing session for a browser that gives this name and password to the proxy. It lasts until Loupe ends, or `leave`.
   *  `url`: where that browser begins; absent: at the first seed. */
  openOwn: call(selecting(opening.extend({ url: z.string().optional() })), ownViewing),
  leave: call(z.strictObject({ user: z.string() }), nothing),
  /** Starts a browser of the machine on which the engine runs, with a new profile, for this viewing of its own. It ends with the
   *  viewing. */
  openBrowser: call(z.strictObject({ user: z.string() }), nothing),
  /** Of their own, in the order in which they were opened. */
  own: call(nothing, z.array(ownViewing)),
  current: call(nothing, viewSummary.nullable()),
  /** Another is shown, by whomever it was chosen, or the index of the present one has grown: a few times a second at most, and once
   *  when it is whole. */
  changed: event(viewSummary),
  /** Choices that have a name. */
  kept: call(nothing, z.array(viewAsked.extend({ name: z.string(), at: moment }))),
  /** Keeps the present view under a name; whatever had it has lost it. */
  keep: call(z.strictObject({ name: z.string().trim().min(1).max(100) }), viewSummary),
  forget: call(z.strictObject({ name: z.string() }), nothing),
  /** Whether what is missing is written down. */
  record: call(z.strictObject({ isRecording: z.boolean() }), viewSummary),
  /** Pages (HTML captures) whose address contains what was typed, best first, and after them other captures whose URL begins with it. */
  suggest: call(
    z.strictObject({ text: z.string(), limit: z.int().min(1).max(100).default(20) }),
    z.array(capturedPage),
  ),
  /** Pages whose address or title contains a text, with what their title says: by address, then those that only have it in their title.
   *  Titles are read from when this is first asked of a view; as long as there are some to be read, more may be found. The first 20,000 by
   *  their address are looked through; how many there are beyond is `leftOut`. */
  pages: call(
    z.strictObject({
      text: z.string().default(''),
      offset: count.default(0),
      limit: z.int().min(1).max(100).default(50),
    }),
    z.object({
      total: count,
      leftOut: count,
      rows: z.array(capturedPage.extend({ title: z.string().nullable() })),
      titles: titlesRead,
    }),
  ),
  titlesRead: event(titlesRead),
  /** What the title of one capture says; null: it has none, or cannot be read. */
  title: call(z.strictObject({ url: z.string(), captured: time }), z.object({ title: z.string().nullable() })),
  /** Captures of one URL in the view, oldest first, of one day where it is said: all, or the first 10,000. */
  captures: call(
    z.strictObject({ url: z.string(), day: z.iso.date().optional() }),
    z.array(capturedPage.extend({ job: jobId.nullable() })),
  ),
  /** How many captures of one URL there are in the view: of each year, and of each day that has any (UTC). */
  timeline: call(
    z.strictObject({ url: z.string() }),
    z.array(
      z.object({ year: z.int(), captures: count, days: z.array(z.object({ day: z.string(), captures: count })) }),
    ),
  ),
  /** Where the capture of a URL nearest to a moment lies, in any selection; null when it has none. */
  locate: call(
    selecting(z.strictObject({ ...selectionShape, url: z.string(), at: time.optional() })),
    z.object({ file: z.string(), offset: count, captured: time }).nullable(),
  ),
  /** Why the present view answers as it does, and what it would answer; nothing is written down by it. */
  explain: call(
    z.strictObject({
      url: z.string(),
      method: z.string().default('GET'),
      /** For a window or a frame, which no other page may fill. */
      isPage: z.boolean().default(false),
      /** The answer that is to be explained: it is asked for as it was, in the viewing that asked. Without it, and with a method
       *  that sends something, the last such request for this address is meant. */
      answer: count.optional(),
    }),
    explanation,
  ),
  /** Of what a viewing shows, the newest first. */
  errors: call(ofViewing, z.array(viewError)),
  /** The last answers of the proxy, oldest first, bounded. */
  answers: call(z.strictObject({ after: count.default(0) }), z.array(answer)),
  answered: event(answer),
}

export const missingCalls = {
  /** Each viewing has its own list of what it shows. That of the interface's goes on when the same is chosen again; that of one of its
   *  own ends with it. */
  list: call(findingsAsked, z.array(miss)),
  clear: call(findingsAsked, z.object({ cleared: count })),
}
