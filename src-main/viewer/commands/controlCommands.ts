/** Commands that change what a viewing shows or records, and those that report it, with the paths and parameters of
 *  NetarchiveSuite's viewer proxy. Commands that change something need proof that the user sent them (`commandProof.ts`),
 *  because an archived page can lead a browser to any of them. */
import { textOf } from '../../contract/words/render.ts'
import { message } from '../../contract/words/message.ts'
import { isEmpty, selectionMessage, selectionText } from '../../contract/shapes/selection.ts'
import type { ChainParts } from '../replay/chainParts.ts'
import { commandHostName } from '../model/commandHost.ts'
import { changing } from './changing.ts'
import { missingCommands } from './missingCommands.ts'
import { commandLink, type Command, type CommandLink, type Parameters, type Repeated } from './commands.ts'
import { filesMissingOf, type FilesMissing } from '../viewings/missingFiles.ts'
import { proxyChallenge } from '../model/proxyCredentials.ts'
import type { Question } from '../viewings/question.ts'
import { progressMessage } from '../links/growing.ts'
import { emptyReply, plainReply, textReply, type Field, type Reply } from '../model/reply.ts'
import type { FindingList, FindingRow } from '../viewings/views.sql.ts'

/** Makes the link that answers these commands. */
export function controlCommands(parts: ChainParts): CommandLink {
  return commandLink('controlCommands', {
    '/enter': { parameters: ['url'], answer: async (question, { url = '' }) => enter(question, url) },
    '/changeIndex': {
      ...{
        parameters: ['label', 'returnURL'],
        optional: ['jobID', 'file', 'all', 'exact'],
        repeated: ['jobID', 'file'],
      },
      ...changing((question, given, repeated) => changeIndex(parts, question, given, repeated)),
    },
    ...missingCommands(parts),
    '/startRecordingURIs': returning(async ({ viewing }) => void (viewing.isRecording = true)),
    '/stopRecordingURIs': returning(async ({ viewing }) => void (viewing.isRecording = false)),
    '/clearRecordedURIs': returning(async (question) => {
      const list = listOf(question)
      if (list) parts.findings.clear(list)
    }),
    '/getRecordedURIs': {
      ...{ parameters: [], optional: ['format'] },
      answer: async (question, { format }) => recordedUris(parts, question, format),
    },
    '/getStatus': {
      ...{ parameters: [], optional: ['format', 'locale'] },
      answer: async (question, { format }) => status(parts, question, format),
    },
  })
}

/** Makes a command that changes the viewing and then redirects to `returnURL`. An invalid URL is refused before
 *  anything is changed. */
function returning(act: (question: Question) => Promise<void>): Command {
  return {
    parameters: ['returnURL'],
    ...changing(async (question, { returnURL = '' }) => {
      const back = seeOther(returnURL)
      if (back.status === 303) await act(question)
      return back
    }),
  }
}

/** Makes a browser log in: Chromium sends credentials once a proxy has asked for them, and from then on with every request. */
function enter({ viewing }: Question, url: string): Reply {
  return viewing.user === '' ? enterChallenge() : seeOther(url)
}

/** The challenge for requests with unknown or no credentials. */
export function enterChallenge(): Reply {
  return {
    ...plainReply(407, message('viewer.login')),
    fields: [
      ['Proxy-Authenticate', proxyChallenge],
      ['Cache-Control', 'no-store'],
      ['Content-Length', '0'],
    ],
    body: new Uint8Array(0),
  }
}

/** Shows those of the jobs that are in the archive. If there are none, the previous view stays. As in NetarchiveSuite, values
 *  that are not numbers are ignored if others are, the redirect is sent when the index is complete, and the label is what
 *  `/getStatus` calls the view; it does not rename a stored view. In addition to NetarchiveSuite, `file` selects files by name,
 *  and `all=true` everything. */
async function changeIndex(
  { archive, overlaysOver }: ChainParts,
  { viewing }: Question,
  { label = '', returnURL = '', exact = 'false', all = 'false' }: Parameters,
  { jobID = [], file: files = [] }: Repeated,
): Promise<Reply> {
  const back = seeOther(returnURL)
  if (back.status !== 303) return back
  const odd = Object.entries({ exact, all }).find(([, value]) => value !== 'true' && value !== 'false')
  if (odd) return plainReply(400, message('viewer.parameter.boolean', { name: odd[0], value: odd[1].slice(0, 200) }))
  const jobs = jobID.filter((text) => /^\d{1,15}$/.test(text)).map(Number)
  const selection = { jobs, files, all: all === 'true' }
  if (isEmpty(selection)) {
    if (jobID.length === 0) return plainReply(400, message('viewer.parameter.missing', { name: 'jobID' }))
    const value = jobID.join(', ').slice(0, 200)
    return plainReply(400, message('viewer.parameter.number', { name: 'jobID', value }))
  }
  if (!selection.all && files.length === 0 && !jobs.some((job) => archive.hasFilesOf(job)))
    return plainReply(404, message('archive.noFilesOf', { selection: selectionMessage(selection) }))
  const isExact = exact === 'true'
  const overlays = selection.all ? [] : overlaysOver(jobs)
  await viewing.show({ ...selection, overlays, moment: { kind: 'newest' }, withinMs: undefined, isExact }, { label })
  return back
}

/** Redirects to an http or https URL; any other is refused with 400. */
function seeOther(url: string): Reply {
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    return plainReply(400, message('viewer.parameter.url', { url: url.slice(0, 200) }))
  const fields: Field[] = [
    ['Location', new URL(url).href],
    ['Cache-Control', 'no-store'],
    ['Content-Length', '0'],
  ]
  return { ...emptyReply(303), fields, body: new Uint8Array(0) }
}

/** The list of findings for the current view of the viewing. */
function listOf({ shown, viewing }: Question): FindingList | undefined {
  return shown && { viewing: viewing.user, view: shown.view.view }
}

function recordedUris({ findings, allowedOrigins }: ChainParts, question: Question, format?: string): Reply {
  const { fields } = question
  const list = listOf(question)
  const misses = list === undefined ? [] : findings.misses(list)
  const urls = [...new Set(misses.map(({ url }) => url))].toSorted()
  return formatted({ format, fields, allowedOrigins }, urls, {
    text: () => urls.map((url) => `${url}\n`).join(''),
    details: () => misses.map(detailsOf),
  })
}

function detailsOf({ url, method, referrer, initiator, resourceType, times, firstMs, lastMs }: FindingRow) {
  const [first, last] = [new Date(firstMs).toISOString(), new Date(lastMs).toISOString()]
  return { url, method, referrer, initiator, resourceType, times, first, last }
}

function status(parts: ChainParts, { shown, viewing, fields }: Question, format?: string): Reply {
  const { findings, views, allowedOrigins } = parts
  if (shown === undefined) {
    const none = { proxy: 'Loupe', isRecording: viewing.isRecording, view: null }
    const text = () => `${recording(viewing.isRecording, 0)}No jobs have been chosen for viewerproxy index.\n`
    return formatted({ format, fields, allowedOrigins }, none, { text })
  }
  const { view, index } = shown
  const { jobsAsked, filesAsked, jobsFound, jobsMissing: lacking, quarantined } = index.completeness
  const filesMissing = filesMissingOf(shown)
  const { misses, errors } = findings.counts({ viewing: viewing.user, view: view.view })
  const label = shown.label ?? views.nameOf(view.view) ?? selectionText(view)
  const known = {
    ...{
      view: view.view,
      isExact: view.isExact,
      label,
      requested: jobsAsked,
      available: jobsFound,
      missing: lacking,
      files: filesAsked,
      all: view.all,
      misses,
      errors,
    },
    ...{ isGrowing: index.isGrowing, ...index.progress, filesMissing, quarantined: quarantined.count },
  }
  const text = () =>
    `${recording(viewing.isRecording, misses)}Using index '${label}', built on ${builtOn(jobsFound, filesAsked)}\n${
      index.isGrowing ? `${textOf(progressMessage(shown))}\n` : ''
    }${
      lacking.length === 0
        ? ''
        : `WARNING: requested ${jobsAsked.join(' ')}, only ${jobsFound.join(' ')} available, missing ${lacking.join(' ')}\n`
    }${lackingFiles(filesMissing)}`
  return formatted(
    { format, fields, allowedOrigins },
    { proxy: 'Loupe', isRecording: viewing.isRecording, view: known },
    { text },
  )
}

/** The wording of NetarchiveSuite, extended by files. */
function builtOn(jobs: readonly number[], files: readonly string[]): string {
  const ofFiles = files.length === 0 ? [] : [`files: ${files.join(' ')}`]
  return [...(jobs.length === 0 && files.length > 0 ? [] : [`jobs: ${jobs.join(' ')}`]), ...ofFiles].join(' and ')
}

function lackingFiles({ count, first }: FilesMissing): string {
  if (count === 0) return ''
  const further = count > first.length ? ` and ${count - first.length} more` : ''
  return `WARNING: no replica gives ${first.map(({ name }) => name).join(' ')}${further}\n`
}

function recording(isRecording: boolean, misses: number): string {
  return `${isRecording ? 'Collecting' : 'Not collecting'} missing URLs: ${misses} collected.\n`
}

/** A reply as text in NetarchiveSuite's wording, as JSON, or as `details` where a command has them. */
function formatted(
  asked: { format: string | undefined; fields: Question['fields']; allowedOrigins: readonly string[] },
  value: unknown,
  { text, details }: { text: () => string; details?: () => unknown },
): Reply {
  const { format = 'text', fields, allowedOrigins } = asked
  const formats = ['text', 'json', ...(details ? ['details'] : [])]
  if (!formats.includes(format))
    return plainReply(400, message('viewer.parameter.format', { format, known: formats.join(', ') }))
  const { origin } = fields
  const cors: Field[] =
    origin !== undefined && allowedOrigins.includes(origin) ? [['Access-Control-Allow-Origin', origin]] : []
  return textReply({
    status: 200,
    text: format === 'text' ? text() : JSON.stringify(format === 'details' ? details?.() : value),
    mediaType: format === 'text' ? 'text/plain' : 'application/json',
    fields: [['Vary', 'Origin'], ...cors],
  })
}

/** The URL that a browser opens first to be asked for its credentials. */
export function enterAddress(url: string): string {
  return `http://${commandHostName}/enter?url=${encodeURIComponent(url)}`
}
