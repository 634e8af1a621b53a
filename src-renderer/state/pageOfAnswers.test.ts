import { expect, test } from 'vitest'
import type { Answer } from '../../src-main/contract/services/viewer.ts'
import { isShowable, pageAt, pageOfAnswers, unshownOf, type Known } from './pageOfAnswers.ts'

const first = 'http://a.example/'
const second = 'http://a.example/second.html'
const other = 'https://b.example/page'

/** `page` rows are navigations, `part` rows are not; `by` is the requesting page, by default the referrer; `status` is 200 by
 *  default. */
interface Row {
  page?: string
  part?: string
  from: string
  by?: string
  status?: number
}

function answersOf(rows: Row[]): Answer[] {
  return rows.map(({ page, part, from, by: initiator = from, status = 200 }, index) => ({
    id: index + 1,
    view: 1,
    viewing: '',
    at: '2026-11-20T12:00:00Z',
    method: 'GET',
    url: page ?? part ?? '',
    referrer: from,
    navigation: page !== undefined,
    found: status !== 404,
    status,
    mediaType: null,
    bytes: null,
    captured: null,
    job: null,
    file: null,
    offset: null,
    ...{
      initiator,
      resourceType: '',
      by: 'exactCapture' as const,
      capturedUrl: null,
      inexact: [],
      truncated: null,
      isAttachment: false,
    },
  }))
}

const stories: { story: string; known: Known; rows: Row[]; page: string | undefined; resources?: string[] }[] = [
  { story: 'no requests', known: { asked: first, previous: null }, rows: [], page: undefined },
  {
    story: 'parts only: no page has arrived',
    known: { asked: null, previous: first },
    rows: [{ part: `${first}late.png`, from: first }],
    page: undefined,
  },
  {
    story: 'a typed URL and its resources',
    known: { asked: first, previous: null },
    rows: [
      { page: first, from: '' },
      { part: `${first}a.png`, from: first },
    ],
    page: first,
    resources: [first, `${first}a.png`],
  },
  {
    story: 'a fragment does not make another page',
    known: { asked: `${first}#part`, previous: null },
    rows: [{ page: first, from: '' }],
    page: first,
  },
  {
    story: 'a page with frames, also of another origin',
    known: { asked: first, previous: null },
    rows: [
      { page: first, from: '' },
      { page: `${first}frame.html`, from: first },
      { page: other, from: first },
      { part: 'https://b.example/x.png', from: other },
    ],
    page: first,
  },
  {
    story: 'a typed URL that is redirected twice, then has a frame',
    known: { asked: first, previous: other },
    rows: [
      { page: first, from: '', status: 301 },
      { page: 'https://a.example/', from: '', status: 302 },
      { page: 'https://a.example/home', from: '' },
      { page: 'https://a.example/frame', from: 'https://a.example/home' },
    ],
    page: 'https://a.example/home',
  },
  {
    story: 'a link is followed',
    known: { asked: null, previous: first },
    rows: [
      { page: second, from: first },
      { part: 'http://a.example/s.png', from: second },
    ],
    page: second,
    resources: [second, 'http://a.example/s.png'],
  },
  {
    story: 'after a link on the front page, requests to another origin have the front page as referrer',
    known: { asked: null, previous: first },
    rows: [
      { page: second, from: first },
      { part: 'https://b.example/x.png', from: first, by: second },
      { part: 'https://b.example/late.png', from: first },
    ],
    page: second,
    resources: [second, 'https://b.example/x.png'],
  },
  {
    story: 'a link to another origin sends only the origin as referrer',
    known: { asked: null, previous: second },
    rows: [
      { page: other, from: first },
      { page: `${other}/frame`, from: other },
    ],
    page: other,
  },
  {
    story: 'the previous page requests a resource and opens a frame late, before the link is followed',
    known: { asked: null, previous: first },
    rows: [
      { part: `${first}late.png`, from: first },
      { page: `${first}lazy.html`, from: first },
      { part: `${first}lazy.png`, from: `${first}lazy.html` },
      { page: second, from: first },
      { part: 'http://a.example/s.png', from: second },
    ],
    page: second,
    resources: [`${first}lazy.html`, `${first}lazy.png`, second, 'http://a.example/s.png'],
  },
  {
    story: 'a page that forbids referrers, with a frame',
    known: { asked: first, previous: null },
    rows: [
      { page: first, from: '' },
      { page: other, from: '' },
      { part: 'https://b.example/x.png', from: other },
    ],
    page: first,
  },
  {
    story: 'a page that is not archived still is the current page',
    known: { asked: other, previous: first },
    rows: [{ page: other, from: '', status: 404 }],
    page: other,
  },
  {
    story: 'the same page again',
    known: { asked: first, previous: first },
    rows: [
      { page: first, from: '' },
      { part: `${first}a.png`, from: first },
    ],
    page: first,
    resources: [first, `${first}a.png`],
  },
  {
    story: 'a page that is requested again while it loads',
    known: { asked: first, previous: null },
    rows: [
      { page: first, from: '' },
      { part: `${first}a.png`, from: first },
      { page: first, from: '' },
    ],
    page: first,
    resources: [first],
  },
  {
    story: 'another page is requested after resources of the first one arrived',
    known: { asked: other, previous: null },
    rows: [
      { page: first, from: '' },
      { part: `${first}a.png`, from: first },
      { page: other, from: '' },
      { part: `${other}/b.png`, from: other },
    ],
    page: other,
    resources: [other, `${other}/b.png`],
  },
]

test.each(stories)('$story', ({ known, rows, page, resources }) => {
  const settled = pageOfAnswers(answersOf(rows), known)
  expect(settled?.page.url).toBe(page)
  if (resources) expect(settled?.resources.map(({ url }) => url)).toEqual(resources)
})

test('the order in which answers arrive does not matter', () => {
  for (const { known, rows, page } of stories) {
    expect(pageOfAnswers(answersOf(rows).toReversed(), known)?.page.url).toBe(page)
  }
})

test('a view that reports its URL: the last response for it, and what followed', () => {
  const answers = answersOf([
    { page: first, from: '' },
    { part: `${first}a.png`, from: first },
    { page: second, from: first },
    { part: `${second}.png`, from: second },
  ])
  expect(pageAt(answers, `${second}#top`)?.resources.map(({ id }) => id)).toEqual([3, 4])
  expect(pageAt(answers, other)).toBeUndefined()
})

test.each<[string | null, Partial<Answer>, boolean]>([
  ['text/html', {}, true],
  ['text/html', { isAttachment: true }, false],
  [null, {}, true],
  [null, { isAttachment: true }, false],
  ['application/xhtml+xml', {}, true],
  ['image/svg+xml', {}, true],
  ['image/tiff', {}, false],
  ['application/pdf', {}, false],
  ['application/pdf', { status: 301 }, true],
  ['application/zip', {}, false],
  [null, { status: 204 }, false],
  ['text/html', { status: 205 }, false],
  ['text/csv', {}, false],
  ['video/mp4', {}, true],
])('a frame shows %s with %o: %s', (mediaType, changes, is) => {
  const [made] = answersOf([{ page: first, from: '' }])
  expect(isShowable({ ...made!, mediaType, ...changes })).toBe(is)
})

test('a download is found at the end of its redirects, and only when it was requested', () => {
  const answers = answersOf([
    { page: `${first}frame.pdf`, from: first },
    { page: `${first}paper`, from: '', status: 302 },
    { page: `${first}paper.pdf`, from: '' },
  ]).map((one) => ({ ...one, mediaType: 'application/pdf' }))
  expect(unshownOf(answers, `${first}paper#2`)?.page.url).toBe(`${first}paper.pdf`)
  expect(unshownOf(answers, second)).toBeUndefined()
  expect(unshownOf(answers.slice(0, 2), `${first}paper`)).toBeUndefined()
})
