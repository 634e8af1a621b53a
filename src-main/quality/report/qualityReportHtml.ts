/** Formats a report on the quality of a job as one page that prints well. Titles, URLs and notes come from archived sites and users: all text is
 *  escaped. Pictures are those that Loupe's own browser made. */
import type { AuditedPage } from '../../contract/services/pageAudits.ts'
import { notComparedMessage } from '../../contract/services/pageAudits.ts'
import type { QualityReport } from '../../contract/services/qualityReports.ts'
import { auditedPageStates } from '../../contract/states/auditedPageStates.ts'
import { escapedHtml } from '../../contract/text/escapedHtml.ts'
import { printedPage, printedTable } from '../../contract/text/printedPage.ts'
import { message, type Message, type MessageCode } from '../../contract/words/message.ts'
import { textFor, textOf } from '../../contract/words/render.ts'

/** `thumbnails`: PNG, by the number of the page. */
export function qualityReportHtml(report: QualityReport, thumbnails: ReadonlyMap<number, Uint8Array>): string {
  const { job, name, at, software } = report
  const body = [
    `<h1>${escapedHtml(textFor('quality.report.title', { job, name }))}</h1>`,
    paragraph(message('report.created', { at: momentText(at), software })),
    ...rating(report),
    ...verdicts(report),
    ...auditedPages(report, thumbnails),
    ...misses(report),
    ...overlays(report),
  ]
  return printedPage({ title: textFor('quality.report.title', { job, name }), body, style })
}

function rating({ progress: { ofJob, audited, auditedJudged, ...counts } }: QualityReport): string[] {
  const { good, minor, bad, unusable } = counts
  return [
    ...(ofJob === null
      ? [paragraph(message('quality.report.noRating'))]
      : [
          `<p class="rating ${ofJob.verdict}">${escapedHtml(textFor('quality.report.rating', { verdict: textFor(`verdict.${ofJob.verdict}`) }))}</p>`,
          ...(ofJob.note === '' ? [] : [`<blockquote>${escapedHtml(ofJob.note)}</blockquote>`]),
          paragraph(message('quality.report.by', { author: ofJob.author, at: momentText(ofJob.judged) })),
        ]),
    paragraph(message('cli.verdict.counts', { good, minor, bad, unusable })),
    ...(audited === null ? [] : [paragraph(message('cli.verdict.progress', { judged: auditedJudged, audited }))]),
  ]
}

function verdicts({ verdicts: rows, verdictsTotal: total }: QualityReport): string[] {
  return section(
    'verdicts',
    ['verdict', 'page', 'note', 'by', 'time'],
    rows.map(({ verdict, url, note, author, judged }) => [
      ...[escapedHtml(textFor(`verdict.${verdict}`)), link(url)],
      ...[note, author, momentText(judged)].map(escapedHtml),
    ]),
    total,
  )
}

function auditedPages(
  { audit, pages, pagesTotal: total }: QualityReport,
  thumbnails: ReadonlyMap<number, Uint8Array>,
): string[] {
  if (audit === null) return [heading('pages'), paragraph(message('quality.report.noAudit'))]
  const { good, bad, missing } = audit.figures
  const figures = { pages: audit.filesDone, faulty: audit.findings, good, bad, missing }
  const found = section(
    'pages',
    ['picture', 'page', 'risk', 'verdict', 'missing', 'bad', 'errors', 'difference'],
    pages.map((page) => [
      pictureOf(page, thumbnails.get(page.id)),
      `${page.title === '' ? '' : `<strong>${escapedHtml(page.title)}</strong><br>`}${link(page.url)}${stateText(page)}`,
      page.risk.toFixed(1),
      page.verdict === null ? '' : escapedHtml(textFor(`verdict.${page.verdict}`)),
      ...[page.missing, page.bad, page.consoleErrors].map(String),
      differenceText(page),
    ]),
    total,
  )
  const summary = message('quality.report.audit', { audit: audit.task, at: momentText(audit.started) })
  const [title = '', ...table] = found.length === 0 ? [heading('pages')] : found
  return [title, paragraph(summary), paragraph(message('cli.pageAudit.done', figures)), ...table]
}

function pictureOf({ title, url }: AuditedPage, bytes: Uint8Array | undefined): string {
  if (bytes === undefined) return ''
  const source = `data:image/png;base64,${Buffer.from(bytes).toString('base64')}`
  return `<img alt="${escapedHtml(textFor('quality.report.pictureOf', { page: title || url }))}" src="${source}">`
}

function stateText({ state, failure }: AuditedPage): string {
  if (state === 'DONE') return ''
  const text = failure ? message(`pageAudit.failure.${failure}`) : auditedPageStates.rows[state].badge
  return `<br><em>${escapedHtml(textOf(text))}</em>`
}

function differenceText({ pixelDifference, textDifference, notCompared }: AuditedPage): string {
  const percent = (part: number) => `${(part * 100).toFixed(1)} %`
  const parts = [
    ...(pixelDifference === null ? [] : [message('quality.report.pixels', { part: percent(pixelDifference) })]),
    ...(textDifference === null ? [] : [message('quality.report.words', { part: percent(textDifference) })]),
    ...(notCompared === null ? [] : [notComparedMessage(notCompared)]),
  ]
  return parts.map((part) => escapedHtml(textOf(part))).join('<br>')
}

function misses({ misses: all, missesOpen: open, missesTotal: total }: QualityReport): string[] {
  return [
    heading('misses'),
    paragraph(message('quality.report.misses', { total, open })),
    ...all.flatMap(({ by, groups }) =>
      groups.length === 0
        ? []
        : [
            printedTable(
              [textFor(`quality.report.by.${by}`), textFor('quality.report.column.misses')],
              groups.map(({ label, misses: count }) => [escapedHtml(textOf(label)), String(count)]),
            ),
          ],
    ),
  ]
}

function overlays({ overlays: rows }: QualityReport): string[] {
  return section(
    'overlays',
    ['name', 'patchJob', 'state', 'time'],
    rows.map(({ name, job, isOn, changed }) =>
      [name, String(job), textFor(isOn ? 'quality.report.on' : 'quality.report.off'), momentText(changed)].map(
        escapedHtml,
      ),
    ),
    rows.length,
  )
}

type NameIn<Code, Prefix extends string> = Code extends `${Prefix}${infer Name}` ? Name : never
type Section = NameIn<MessageCode, 'quality.report.section.'>
type Column = NameIn<MessageCode, 'quality.report.column.'>

/** A table of HTML cells with its heading, and how many rows it leaves out; nothing without rows. */
function section(name: Section, columns: readonly Column[], rows: string[][], total: number): string[] {
  if (rows.length === 0) return []
  const heads = columns.map((column) => textFor(`quality.report.column.${column}`))
  const left = total - rows.length
  return [
    heading(name),
    printedTable(heads, rows),
    ...(left > 0 ? [paragraph(message('report.more', { count: left }))] : []),
  ]
}

function heading(name: Section): string {
  return `<h2>${escapedHtml(textFor(`quality.report.section.${name}`))}</h2>`
}

function paragraph(text: Message): string {
  return `<p>${escapedHtml(textOf(text))}</p>`
}

/** A URL as text: on paper a link has no use, and on screen it would lead to the live web. */
function link(url: string): string {
  return `<span class="url">${escapedHtml(url)}</span>`
}

function momentText(iso: string): string {
  return `${iso.slice(0, 16).replace('T', ' ')} UTC`
}

const style = `
@page { size: A4; margin: 15mm; }
.url { font-size: 8pt; color: #444; overflow-wrap: anywhere; }
.rating { font-size: 1.2rem; font-weight: bold; border-left: 0.4rem solid #777; padding-left: 0.6rem; }
.rating.good { border-color: #1a7f37; } .rating.minor { border-color: #9a6700; } .rating.bad, .rating.unusable { border-color: #b42318; }
blockquote { margin: 0 0 1rem 1rem; white-space: pre-wrap; overflow-wrap: anywhere; }
table { margin-bottom: 1rem; } img { display: block; width: 8rem; max-height: 6rem; object-fit: cover; object-position: top; border: 1px solid #ccc; }
`
