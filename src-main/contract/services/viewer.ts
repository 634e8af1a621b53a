/**
 * The viewer as the interface and the command line use it: the present view, the answers of the proxy, their problems, and explanations.
 * Pages themselves never cross the contract.
 */
import { z } from 'zod'
import { truncationNames } from '../states/outcomes.ts'
import { call, event } from '../calls/service.ts'
import { selecting, selectionShape } from '../shapes/selection.ts'
import { count, jobId, messageShape, nothing, time } from '../shapes/shapes.ts'

/** Which capture of a URL is shown: the newest, the oldest, or the one nearest to a time. */
const moment = z.union([z.enum(['newest', 'oldest']), time])
const view = z.int().min(1)
/** The user of an open separate viewing; '' or absent: the interface's viewing. */
const ofViewing = z.strictObject({ viewing: z.string().optional() })
/** `view`: absent: the one that the viewing shows. */
const findingsAsked = ofViewing.extend({ view: view.optional() })

/** The links of the viewer's chain, in the order in which they are asked; an answer names the first that had one. */
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

/** The purpose of a request (Fetch 2.2.5, with the values of Sec-Fetch-Dest); '' where it is unknown. */
const resourceType = z.string()
/** Types that fill a window or a frame. */
export const pageTypes: readonly string[] = ['document', 'iframe', 'frame']

/** Shape of a view. */
export const viewSummary = z.object({
  view,
  /** Jobs as they were chosen; for the whole archive the jobs are in `growth.jobsFound`. */
  jobs: z.array(jobId),
  files: z.array(z.string()),
  all: z.boolean(),
  /** Overlays of the jobs that are on. `isShown`: the view has their captures. */
  overlays: z.array(z.object({ patches: jobId, job: jobId, name: z.string(), isShown: z.boolean() })),
  at: moment,
  /** Captures further from the chosen time are not shown, in days; null: no limit. */
  withinDays: z.number().nullable(),
  /**
   * True: only captures of the requested URL are shown. False: if there is none, a capture of another URL is shown that differs only in parts
   * without meaning for the content; such an answer is marked.
   */
  isExact: z.boolean(),
  /** Name under which the selection is stored; null: it is not. */
  name: z.string().nullable(),
  captures: count,
  /** Jobs without files in the archive. */
  jobsMissing: z.array(jobId),
  /**
   * Files of the view that no replica could provide, with the first of them: their captures cannot be shown. They are determined when the
   * index is complete, and `changed` reports it.
   */
  filesMissing: z.object({ count, first: z.array(z.object({ name: z.string(), reason: messageShape })) }),
  /** Records and index lines that could not be read properly, with the first of them. */
  quarantined: z.object({
    count,
    first: z.array(z.object({ file: z.string(), offset: count.nullable(), reason: messageShape })),
  }),
  /**
   * Growth of the index. While it grows, a missing capture may still be added, so requests for it are answered with 503 until it is
   * complete. `jobsDone` counts those of `jobsFound` that have been indexed completely.
   */
  growth: z.object({
    isGrowing: z.boolean(),
    filesDone: count,
    filesTotal: count,
    jobsDone: count,
    jobsFound: z.array(jobId),
  }),
  /** Suggested start pages: the seeds of the chosen jobs. None are known for a deleted job. */
  seeds: z.array(z.string()),
  misses: count,
  /** Archived errors and bodies that could not be read. */
  errors: count,
  /** Whether missing URLs are recorded. */
  isRecording: z.boolean(),
})
export type ViewSummary = z.output<typeof viewSummary>

/**
 * A viewing session for another browser: the name and password that the browser gives to the proxy. With `commandToken` as the password a
 * script may change what it shows and records.
 */
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
  /** Only with a time, in days. */
  withinDays: z.number().positive().max(100_000).optional(),
  /** Absent: inexact answers are given, and marked. */
  isExact: z.boolean().optional(),
  /** False: overlays of the jobs are left out. Absent: those that are on are shown. */
  withOverlays: z.boolean().optional(),
})
export type ViewAsked = z.input<typeof viewAsked>

/** A view can be used at once, as far as its index is complete; with `untilWhole` the call ends only when it is. */
const opening = viewAsked.extend({ untilWhole: z.boolean().optional() })

/** One request of the browser and the answer of the viewer proxy. */
export const answer = z.object({
  id: count,
  view,
  /** The user of a separate viewing, '' for the interface's. Both may show the same view. */
  viewing: z.string(),
  at: time,
  method: z.string(),
  url: z.string(),
  referrer: z.string(),
  /** The page that caused the request; '' where it is unknown. */
  initiator: z.string(),
  resourceType,
  /** Whether the browser requested a page (for a frame or a window), not a part of one. */
  navigation: z.boolean(),
  by: z.enum(viewerLinks),
  found: z.boolean(),
  status: z.int(),
  mediaType: z.string().nullable(),
  /** Whether the answer is to be saved, not shown (RFC 6266 4.2). */
  isAttachment: z.boolean(),
  bytes: count.nullable(),
  captured: time.nullable(),
  /** The URL of the capture, when it differs from the requested one. */
  capturedUrl: z.string().nullable(),
  /** The rules by which the capture of another URL was chosen; empty when the URLs are equal. */
  inexact: z.array(z.string()),
  /** Why the content of the capture is incomplete, according to its record or its body; null when neither indicates it. */
  truncated: z.enum(truncationNames).nullable(),
  job: jobId.nullable(),
  file: z.string().nullable(),
  offset: count.nullable(),
})
export type Answer = z.output<typeof answer>

/** Shape of a URL that the archive could not answer. */
export const miss = z.object({
  id: count,
  view,
  /** The user of a separate viewing, '' for the interface's. */
  viewing: z.string(),
  url: z.string(),
  referrer: z.string(),
  initiator: z.string(),
  resourceType,
  method: z.string(),
  times: z.int().min(1),
  first: time,
  last: time,
  /**
   * What the jobs of the view know about the URL: the outcome of its document with the reason, or that it was never queued; for a
   * deleted job, the entry of its crawl log.
   */
  why: messageShape,
})
export type Miss = z.output<typeof miss>

/** A faulty answer from the archive: an archived server error, or a body that cannot be read. */
const viewError = miss.extend({
  kind: z.enum(['archivedError', 'unreadable']),
  status: z.int().nullable(),
  file: z.string(),
  offset: count,
})

export type ViewError = z.output<typeof viewError>

export const capturedPage = z.object({ url: z.string(), captured: time, status: z.int(), mediaType: z.string() })
export type CapturedPage = z.output<typeof capturedPage>

/** Pages of a view whose titles have been read. */
const titlesRead = z.object({ read: count, total: count })

const field = z.tuple([z.string(), z.string()])
const httpMessage = z.object({ status: z.int(), reason: z.string(), fields: z.array(field) })
const captureRow = z.object({
  url: z.string(),
  captured: time,
  /** Null: its file belongs to no job. */
  job: jobId.nullable(),
  file: z.string(),
  offset: count,
  status: z.int().nullable(),
  recordType: z.string(),
})
const tried = captureRow.extend({
  isUsed: z.boolean(),
  /** Why it was not used, or cannot be read again; null: neither, or it was not needed. */
  why: messageShape.nullable(),
})

/** Shape of the explanation of one answer. */
export const explanation = z.object({
  view,
  url: z.string(),
  method: z.string(),
  /** The lookup key of captures: a SURT, with the data that was sent folded in. */
  key: z.string(),
  /** The result of each link of the chain that was asked, in order. */
  steps: z.array(z.object({ link: z.enum(viewerLinks), message: messageShape })),
  answeredBy: z.enum(viewerLinks),
  /** Best first. */
  candidates: z.array(
    tried.extend({
      /** Signed distance from the chosen time; null when the newest or oldest is shown. */
      distanceMs: z.int().nullable(),
    }),
  ),
  /** The rules by which the capture of another URL was chosen. */
  inexact: z.array(z.object({ rule: z.string(), meaning: messageShape })),
  /** For revisits: the captures that may have their content, in the order in which they were searched. */
  revisitHops: z.array(tried),
  /** Why the content of the answering capture is incomplete, according to its record or its body; null when neither indicates it. */
  truncated: z.enum(truncationNames).nullable(),
  /** The answer as it is archived; null when the archive had none. */
  archived: httpMessage.nullable(),
  sent: httpMessage,
  /**
   * For a missing URL: what each job of the view knows. Null: files that belong to no job, or so many jobs that they are reported
   * together.
   */
  reasons: z.array(z.object({ job: jobId.nullable(), message: messageShape })),
  /** Captures outside of the view: at another time, in other files. */
  elsewhere: z.array(captureRow),
})
export type Explanation = z.output<typeof explanation>

export const viewerCalls = {
  /**
   * Builds or reuses the capture index of the selection and makes the proxy answer from it, except in separate viewings. `url`: the start
   * page: a seed, or the first page of the index where no seeds are known.
   */
  open: call(selecting(opening), viewSummary.extend({ url: z.string().nullable() })),
  /**
   * Opens a viewing session for a browser that gives this name and password to the proxy. It lasts until Loupe ends, or `leave`. `url`: the
   * start page of that browser; absent: the first seed.
   */
  openOwn: call(selecting(opening.extend({ url: z.string().optional() })), ownViewing),
  leave: call(z.strictObject({ user: z.string() }), nothing),
  /** Starts a browser on the engine's machine, with a new profile, for this separate viewing. It ends with the viewing. */
  openBrowser: call(z.strictObject({ user: z.string() }), nothing),
  /**
   * Gives the address at which any browser of the engine's machine shows the present view, with pages that a service worker rewrites. Followed by
   * `#/` and a URL, it opens that URL. Null: the shell has none, or the caller is on another machine.
   */
  rewritten: call(nothing, z.object({ address: z.string().nullable() })),
  /** Lists separate viewings, in the order in which they were opened. */
  own: call(nothing, z.array(ownViewing)),
  current: call(nothing, viewSummary.nullable()),
  /**
   * Another view is shown, whichever client chose it, or the index of the present one has grown: at most a few times per second, and
   * once when it is complete.
   */
  changed: event(viewSummary),
  /** Lists the selections that have a name. */
  kept: call(nothing, z.array(viewAsked.extend({ name: z.string(), at: moment }))),
  /** Stores the present view under a name; another view with this name loses it. */
  keep: call(z.strictObject({ name: z.string().trim().min(1).max(100) }), viewSummary),
  forget: call(z.strictObject({ name: z.string() }), nothing),
  /** Turns the recording of missing URLs on or off. */
  record: call(z.strictObject({ isRecording: z.boolean() }), viewSummary),
  /**
   * Suggests pages (HTML captures) whose URL contains the typed text, best first, and after them other captures whose URL begins with
   * it.
   */
  suggest: call(
    z.strictObject({ text: z.string(), limit: z.int().min(1).max(100).default(20) }),
    z.array(capturedPage),
  ),
  /**
   * Finds pages whose URL or title contains a text, with their titles: first by URL, then those with a match only in the title.
   * Titles are read from the first call for a view on; until all have been read, more may be found. The first 20,000 by URL are
   * searched; `leftOut` is the number of the others.
   */
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
  /** Returns the title of one capture; null: it has none, or cannot be read. */
  title: call(z.strictObject({ url: z.string(), captured: time }), z.object({ title: z.string().nullable() })),
  /** Lists captures of one URL in the view, oldest first, of one day if given: all, or the first 10,000. */
  captures: call(
    z.strictObject({ url: z.string(), day: z.iso.date().optional() }),
    z.array(capturedPage.extend({ job: jobId.nullable() })),
  ),
  /** Counts the captures of one URL in the view, by year and by day (UTC). Years and days without captures are left out. */
  timeline: call(
    z.strictObject({ url: z.string() }),
    z.array(
      z.object({ year: z.int(), captures: count, days: z.array(z.object({ day: z.string(), captures: count })) }),
    ),
  ),
  /** Finds the record of the capture of a URL nearest to a time, in any selection; null when there is none. */
  locate: call(
    selecting(z.strictObject({ ...selectionShape, url: z.string(), at: time.optional() })),
    z.object({ file: z.string(), offset: count, captured: time }).nullable(),
  ),
  /** Explains why the present view answers as it does, or would answer; nothing is recorded. */
  explain: call(
    z.strictObject({
      url: z.string(),
      method: z.string().default('GET'),
      /** Whether the request is for a window or a frame, which no other page may fill. */
      isPage: z.boolean().default(false),
      /**
       * The answer to explain: it is requested again in the same way, in the same viewing. Without it, for a method that sends data, the
       * last such request for this URL is used.
       */
      answer: count.optional(),
    }),
    explanation,
  ),
  /** Lists the errors of what a viewing shows, the newest first. */
  errors: call(ofViewing, z.array(viewError)),
  /** Lists the last answers of the proxy, oldest first, up to a limit. */
  answers: call(z.strictObject({ after: count.default(0) }), z.array(answer)),
  answered: event(answer),
}

export const missingCalls = {
  /**
   * Lists missing URLs. Each viewing has a separate list for what it shows. The interface's list continues when the same selection is
   * chosen again; that of a separate viewing ends with it.
   */
  list: call(findingsAsked, z.array(miss)),
  clear: call(findingsAsked, z.object({ cleared: count })),
}
