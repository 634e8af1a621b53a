/** The logins of one job while it runs: they add authorization and cookies to requests and log in when there is no session. The
 *  job's loop fetches through this module and knows nothing of passwords, cookies or forms. */
import { storedMessage } from '../../../contract/words/message.ts'
import type { Log } from '../../model/jobLog.ts'
import type { Login } from '../../../contract/services/login.ts'
import { fieldsOf } from '../../../formats/http/http.ts'
import type { Store } from '../../../storage/storage.ts'
import type { World } from '../../../world/world.ts'
import type { RequestOptions, RequestField } from '../fetch/request.ts'
import type { HttpOutcome } from '../fetch/outcome.ts'
import type { DocumentToFetch } from '../../model/document.ts'
import { historyWriter } from '../../history/activities.ts'
import { patternsOf } from '../../model/patterns.ts'
import { areaFinder, hostsOf } from './areas.ts'
import { openCookies } from './cookies.ts'
import type { Credentials } from './credentials.ts'
import { formArea } from './formArea.ts'
import { loginPrerequisites } from './waitingDocuments.ts'
import { httpArea } from './httpArea.ts'
import { failedOf, type Area, type AreaSetting } from './loginArea.ts'
import { recordedForm } from './redaction.ts'

/** The logins of a job. */
export interface Logins {
  /** The pattern that forbids fetching this document, because it would end the session; undefined if there is none. */
  blocker(url: string): string | undefined
  /** Fetches a document. `fields` are additional fields of the request, such as conditions. */
  fetch(document: DocumentToFetch, fields?: readonly RequestField[]): Promise<HttpOutcome>
  /** Writes what must survive a kill; called inside the transaction of a commit. `found` are the URLs that it has queued. */
  writeDown(found: readonly string[]): void
}

/** Settings of `openLogins`. */
export interface LoginsSetting {
  login: Login | undefined
  store: Store
  job: number
  world: World
  credentials: Pick<Credentials, 'secretOf'>
  /** Fetches one URL, with the given options of the request. */
  request(url: string, referrer: string | undefined, options: RequestOptions): Promise<HttpOutcome>
  log: Log
}

/** Opens the logins of a job; without a login, documents are fetched without cookies and authorization. */
export function openLogins(setting: LoginsSetting): Logins {
  const { login, request } = setting
  if (!login) {
    return {
      blocker: () => undefined,
      fetch: ({ url, viaUrl }, fields = []) => request(url, viaUrl ?? undefined, { fields }),
      writeDown: () => undefined,
    }
  }
  return loginsOf(login, setting)
}

function loginsOf(login: Login, { store, job, world, credentials, request, log }: LoginsSetting): Logins {
  const cookies = openCookies({ store, job, clock: world.clock, hosts: hostsOf(login) })
  const areaOf = areaFinder(login)
  const addToHistory = historyWriter(store)
  const note: AreaSetting['note'] = ({ address, result, why, when }) => {
    const { startMs, durationMs } = when ?? { startMs: world.clock.now(), durationMs: 0 }
    addToHistory({
      kind: 'login',
      job,
      startMs,
      durationMs,
      identifier: address,
      result,
      description: why ? storedMessage(why) : null,
    })
  }
  const base = { credentials, chance: world.chance, log, note }
  const held = loginPrerequisites(store, job)
  const areas = login.areas.map((area, place): Area => {
    if (area.kind !== 'form') return httpArea(area, base)
    const sequence = {
      begin: () => held.begin(place),
      // The session is written to the database before it is used, so that a kill costs no login.
      end: () =>
        store.transaction(() => {
          cookies.writeDown()
          held.end(place)
        }),
      wait: (document: number) => held.wait(document, place),
    }
    return formArea({ ...base, login: area, cookies, request, sequence, clock: world.clock })
  })
  const avoided = login.areas.map((area) => patternsOf(area.kind === 'form' ? area.avoid : [], { ignoresCase: true }))

  /** Sends a request with the cookies of its server, and keeps those that the server sets. */
  async function send({ url, viaUrl }: DocumentToFetch, options: RequestOptions): Promise<HttpOutcome> {
    const cookie = cookies.fieldFor(url)
    const fields = [...(options.fields ?? []), ...(cookie === undefined ? [] : [['Cookie', cookie] as const])]
    const outcome = await request(url, viaUrl ?? undefined, { ...options, fields })
    if (outcome.kind === 'answered') cookies.take(url, fieldsOf(outcome.head, 'set-cookie'))
    return outcome
  }

  return {
    blocker(url) {
      const area = areaOf(url)
      return area === undefined ? undefined : avoided[area]?.matchedBy(url)
    },
    async fetch(document, own = []) {
      // robots.txt is fetched without a login, since its rules address anonymous clients.
      const place = document.role === 'robots' ? undefined : areaOf(document.url)
      const area = place === undefined ? undefined : areas[place]
      const ask = (options: RequestOptions) =>
        send(document, { ...options, fields: [...own, ...(options.fields ?? [])] })
      const outcome = area ? await area.fetch(document, ask) : await ask({})
      if (outcome.kind === 'loginFailed') return failedOf(outcome, world.clock.now())
      return outcome.kind === 'answered' ? recordedForm(outcome, login.recorded) : outcome
    },
    writeDown(found) {
      cookies.writeDown()
      for (const url of found) {
        const place = areaOf(url)
        if (place !== undefined && login.areas[place]?.kind === 'form') held.waitIfKnown(url, place)
      }
    },
  }
}
