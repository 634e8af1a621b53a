/** The report on the quality of a job: hostile text is escaped, the formats agree, and nothing outside is needed to show it. */
import { expect, test } from 'vitest'
import { pageAuditRequest, type AuditedPage } from '../../contract/services/pageAudits.ts'
import type { QualityReport } from '../../contract/services/qualityReports.ts'
import { message } from '../../contract/words/message.ts'
import { qualityReportCsv } from './qualityReportCsv.ts'
import { qualityReportHtml } from './qualityReportHtml.ts'

const hostile = `"><script>alert('x')</script><img src=x onerror=alert(1)>`
const at = '2026-03-04T05:06:07.000Z'

const page: AuditedPage = {
  ...{
    id: 7,
    audit: 3,
    job: 1,
    url: `http://a.test/?${hostile}`,
    state: 'DONE',
    failure: null,
    risk: 12.5,
    title: hostile,
  },
  ...{ verdict: 'bad', note: hostile, status: 200, good: 1, bad: 2, missing: 3, consoleErrors: 4, textCharacters: 90 },
  ...{ pixelDifference: 0.25, textDifference: null, notCompared: 'notKept', visited: at, isLoaded: true },
}

const report: QualityReport = {
  ...{ job: 1, name: hostile, at, software: 'Loupe' },
  progress: {
    ...{ audited: 2, auditedJudged: 1, good: 0, minor: 0, bad: 1, unusable: 0, unstored: 0 },
    ofJob: { job: 1, url: '', verdict: 'minor', note: hostile, author: hostile, judged: at },
  },
  verdicts: [{ job: 1, url: page.url, verdict: 'bad', note: '=1+1', author: hostile, judged: at }],
  ...{ verdictsTotal: 3, audit: null, pages: [], pagesTotal: 0 },
  misses: [{ by: 'host', groups: [{ value: 'a.test', label: message('text', { text: hostile }), misses: 5 }] }],
  ...{ missesOpen: 4, missesTotal: 5 },
  overlays: [{ patches: 1, job: 2, name: hostile, isOn: true, created: at, changed: at }],
}

const audit: NonNullable<QualityReport['audit']> = {
  ...{ task: 3, kind: 'pageAudit', subject: message('pageAudit.subject', { job: 1 }), state: 'DONE_WITH_FINDINGS' },
  ...{ stage: null, startedBy: 'user', started: at, ended: at, runningMs: 1, problem: null, code: null },
  ...{ filesDone: 2, filesTotal: 2, bytesDone: 0, bytesTotal: 0, findings: 1 },
  ...{ canStop: false, canPause: false, canResume: false, files: [], isRestored: false, pagesLeftOut: 0 },
  ...{ job: 1, request: pageAuditRequest.parse({ job: 1 }) },
  figures: { good: 1, bad: 2, missing: 3, consoleErrors: 4, failed: 0 },
}

const audited: QualityReport = { ...report, audit, pages: [page], pagesTotal: 600 }

test('text of sites and users is escaped, and the page runs and requests nothing', () => {
  const html = qualityReportHtml(audited, new Map([[7, Uint8Array.of(1, 2, 3)]]))
  expect(html).not.toMatch(/<script|<img src=x|onerror=alert\(1\)>/)
  expect(html.match(/&#60;script&#62;/g)?.length).toBeGreaterThanOrEqual(8)
  expect(html).toContain(`default-src 'none'; style-src 'unsafe-inline'; img-src data:`)
  expect([...html.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, target]) => target)).toEqual([
    'data:image/png;base64,AQID',
  ])
  expect(html).not.toMatch(/url\(|@import|<link/)
})

test('it says the verdict, what was left out, and why a page was not compared', () => {
  const html = qualityReportHtml(audited, new Map())
  expect(html).toContain('Verdict on the job: minor faults')
  expect(html).toContain('pixels: 25.0 %')
  expect(html).toContain('no screenshot and no text was kept when it was captured')
  expect(html).toContain('5 missing URLs, 4 of them open.')
  // 2 verdicts and 599 pages are not printed.
  expect(html).toContain('And 2 more.')
  expect(html).toContain('And 599 more.')
  expect(html).not.toContain('<img')
})

test('without verdicts and audits it says so', () => {
  const empty = { ...report.progress, ofJob: null, audited: null }
  const html = qualityReportHtml({ ...report, progress: empty, verdicts: [], overlays: [], misses: [] }, new Map())
  expect(html).toContain('The job as a whole has no verdict.')
  expect(html).toContain('The pages of the job were not audited.')
  expect(html.match(/<table>/g)).toBeNull()
})

test('as CSV it has a row for each item, and no cell that a spreadsheet would calculate', () => {
  const lines = qualityReportCsv(audited).trimEnd().split('\r\n')
  expect(lines[0]).toBe('section,subject,item,value,note,author,time')
  expect(lines.filter((line) => line.startsWith('page,'))).toHaveLength(5)
  expect(lines.filter((line) => line.startsWith('verdict,'))[0]).toContain(`,bad,'=1+1,`)
  expect(lines.filter((line) => line.startsWith('missing,a.test,host,5,'))).toHaveLength(1)
  expect(lines.at(-1)).toMatch(/^overlay,.*,job,2,on,,2026-03-04T05:06:07.000Z$/)
})
