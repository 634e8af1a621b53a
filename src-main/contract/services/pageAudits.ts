/**
 * Page audits: pages of a job are opened one after another in a hidden browser that sees only this job, and what they lack is counted. A page
 * audit is a task, and its number is the number of the task: it is paused, resumed and stopped with `tasks`.
 */
import { z } from 'zod'
import { call } from '../calls/service.ts'
import { patternShape } from '../shapes/pattern.ts'
import { count, jobId, page, time } from '../shapes/shapes.ts'
import { auditedPageStates } from '../states/auditedPageStates.ts'
import { isReason, reasonMessage, reasonNames, type Reason } from '../states/outcomes.ts'
import { message, type Message } from '../words/message.ts'
import { verdictValues } from './verdicts.ts'
import { taskSummary } from './tasks.ts'

/** Which pages are opened. `first`: of each host, in the order of their URLs. `random`: the same pages for the same seed. */
const pageSampling = z.discriminatedUnion('by', [
  z.strictObject({ by: z.literal('all') }),
  z.strictObject({ by: z.literal('first'), pagesPerHost: z.int().min(1).max(100_000) }),
  z.strictObject({ by: z.literal('random'), pages: z.int().min(1).max(100_000), seed: count }),
])
export type PageSampling = z.output<typeof pageSampling>

/** Pages open at the same time: each takes the memory of a browser tab. */
export const pagesAtOnceMax = 8

/** With what screenshots and texts are compared: another job's capture of the page, the screenshot and text that were made when the page
 *  was captured (records `urn:view:` and `urn:text:`, as Browsertrix writes them), or the page as the live web has it now, requested by the
 *  rules of the harvest. */
const comparedWith = z.union([jobId, z.enum(['crawlTime', 'live'])])

export const pageAuditRequest = z.strictObject({
  job: jobId,
  sampling: pageSampling.default({ by: 'all' }),
  /** Only pages whose URLs match. */
  pattern: patternShape.min(1).optional(),
  pagesAtOnce: z.int().min(1).max(pagesAtOnceMax).default(2),
  /** Time after which a page that does not come to rest is given up. */
  pageSecondsMax: z.int().min(5).max(600).default(90),
  compareWith: comparedWith.optional(),
  /** Areas that always differ, such as advertisements, on pages whose URLs match; as fractions of the screenshot's width and height. */
  masks: z
    .array(
      z.strictObject({
        pattern: patternShape.min(1),
        x: z.number().min(0).max(1),
        y: z.number().min(0).max(1),
        width: z.number().min(0).max(1),
        height: z.number().min(0).max(1),
      }),
    )
    .max(100)
    .default([]),
})
export type PageAuditRequest = z.output<typeof pageAuditRequest>

/** A page audit: a task with what is its own. Files are pages here; findings are pages with faults. */
export const pageAuditSummary = taskSummary.extend({
  job: jobId,
  request: pageAuditRequest,
  figures: z.object({
    /** Resources of all pages. */
    good: count,
    bad: count,
    missing: count,
    consoleErrors: count,
    /** Pages that could not be audited. */
    failed: count,
  }),
  /** True: its results were read from files of the job, which another archive made, or which remained when the database was lost. */
  isRestored: z.boolean(),
  /** Pages of the job that were not considered, because the index lists only so many. */
  pagesLeftOut: count,
  /** WARC files of the job with the screenshots, texts and figures of the pages. */
  files: z.array(z.string()),
})
export type PageAuditSummary = z.output<typeof pageAuditSummary>

/** Why a page could not be audited. */
export const auditFailures = ['hung', 'crashed', 'notLoaded'] as const
export type AuditFailure = (typeof auditFailures)[number]

/** Why a page was not compared although the audit compares pages: there is no capture, nothing was kept at crawl time, the other answer has a status of
 *  400 or above, the other page could not be visited, or, with the live web, a rule of the harvest or a fault of the network. */
const comparisonGaps = ['noCapture', 'notKept', 'errorStatus', ...auditFailures] as const
export const notComparedReasons = [...comparisonGaps, ...reasonNames] as const
export type NotCompared = (typeof comparisonGaps)[number] | Reason

/** Returns the text of the reason, which is a part of a sentence. */
export function notComparedMessage(why: NotCompared): Message {
  return isReason(why) ? reasonMessage(why) : message(`pageAudit.notCompared.${why}`)
}

/** A page of an audit, without its lists. */
export const auditedPage = z.object({
  id: count,
  audit: count,
  job: jobId,
  url: z.string(),
  state: z.enum(auditedPageStates.states),
  failure: z.enum(auditFailures).nullable(),
  /** From 0 to 100: see `docs/page-audits.md`. */
  risk: z.number(),
  title: z.string(),
  /** What a user says about the page, and why. */
  verdict: z.enum(verdictValues).nullable(),
  note: z.string(),
  status: z.int().nullable(),
  good: count,
  bad: count,
  missing: count,
  consoleErrors: count,
  textCharacters: count,
  /** Part of the pixels that differ, from 0 to 1; null: not compared. */
  pixelDifference: z.number().nullable(),
  /** Part of the words that differ, from 0 to 1; null: not compared. */
  textDifference: z.number().nullable(),
  /** Null: it was compared, or was not to be. */
  notCompared: z.enum(notComparedReasons).nullable(),
  visited: time.nullable(),
  /** False: it was still loading when it was looked at. */
  isLoaded: z.boolean(),
})
export type AuditedPage = z.output<typeof auditedPage>

/** A resource that a page requested and did not get. `status`: of the archived answer; null: there was none. */
const faultyResource = z.object({
  url: z.string(),
  type: z.string(),
  method: z.string(),
  status: z.int().nullable(),
})
export type FaultyResource = z.output<typeof faultyResource>

/** Lists of a page hold the first of each. */
export const auditedListMax = 200

export const auditedPageDetails = auditedPage.extend({
  missingResources: z.array(faultyResource),
  badResources: z.array(faultyResource),
  consoleMessages: z.array(z.string()),
  /** Whether there are pictures to show. */
  hasScreenshot: z.boolean(),
  hasDifference: z.boolean(),
  /** True: the page is longer than the screenshot. */
  isCut: z.boolean(),
})
export type AuditedPageDetails = z.output<typeof auditedPageDetails>

/** Properties by which pages are sorted. */
export const auditedPageOrders = [
  'risk',
  'url',
  'missing',
  'bad',
  'consoleErrors',
  'textCharacters',
  'pixelDifference',
  'textDifference',
] as const
export type AuditedPageOrder = (typeof auditedPageOrders)[number]

/** Pictures of a page. `difference`: what differs from the page with which it was compared is red. */
export const auditPictures = ['screenshot', 'thumbnail', 'difference'] as const
export type AuditPicture = (typeof auditPictures)[number]

const audit = z.int().min(1)
const pictureBytes = z.object({ mediaType: z.string(), base64: z.string() })

export const pageAuditCalls = {
  /** Starts an audit. Refused if there is no browser, or no page to open. */
  start: call(pageAuditRequest, pageAuditSummary),
  /** Newest first; of one job, or of all. */
  list: call(z.strictObject({ job: jobId.optional() }), z.array(pageAuditSummary)),
  get: call(z.strictObject({ audit }), pageAuditSummary),
  pages: call(
    z.strictObject({
      audit,
      /** Text that the URL or the title contains. */
      text: z.string().optional(),
      /** Only pages with missing or bad resources, console errors, or that could not be audited. */
      isFaulty: z.boolean().default(false),
      /** Only pages without a verdict. */
      isUnjudged: z.boolean().default(false),
      sort: z.enum(auditedPageOrders).default('risk'),
      descending: z.boolean().default(true),
      ...page,
    }),
    z.object({ rows: z.array(auditedPage), total: count }),
  ),
  page: call(z.strictObject({ page: z.int().min(1) }), auditedPageDetails),
  /** A picture of a page, PNG. Rejects with notFound. */
  picture: call(z.strictObject({ page: z.int().min(1), of: z.enum(auditPictures) }), pictureBytes),
  /** The thumbnail of a page of a job, from the last audit that has one; null if there is none. */
  thumbnail: call(z.strictObject({ job: jobId, url: z.string() }), pictureBytes.nullable()),
} as const
