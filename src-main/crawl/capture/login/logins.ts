/** The logins of one job while it runs: what a document is asked with, and what is done where nobody is logged in. The job's
 *  loop fetches through it and knows nothing of passwords, cookies or forms. */
import type { Login } from '../../../contract/services/login.ts'
import { fieldsOf } from '../../../formats/http/http.ts'
import type { Store } from '../../../storage/storage.ts'
import type { World } from '../../../world/world.ts'
import type { Asking, HttpOutcome, RequestField } from '../fetch/fetch.ts'
import type { DocumentToFetch } from '../../model/document.ts'
import { historyWriter } from '../../history/activities.ts'
import { patternsOf } from '../../model/patterns.ts'
import { areaFinder, hostsOf } from './areas.ts'
import { openCookies } from './cookies.ts'
import type { Credentials } from './credentials.ts'
import { formArea } from './formArea.ts'
import { loginPrerequisites } from './waitingDocuments.ts'
import { failedOf, httpArea, type Area, type AreaSetting } from './httpArea.ts'
import { recordedForm } from './redaction.ts'

export interface Logins {
  /** Why a document must not be fetched at all: it would end the session. */
  blocker(url: string): string | undefined
  /** `fields`: what the request is to say beside the usual, as conditions. */
  fetch(document: DocumentToFetch, fields?: readonly RequestField[]): Promise<HttpOutcome>
  /** Inside the transaction of a commit: what is to survive a kill. `found`: the addresses that it has queued. */
  writeDown(found: readonly string[]): void
}

export interface LoginsSetting {
  login: Login | undefined
  store: Store
  job: number
  world: World
  credentials: Pick<Credentials, 'secretOf'>
  /** Fetches one address, with what the request is to say beside the usual. */
  request(url: string, referrer: string | undefined, asking: Asking): Promise<HttpOutcome>
  log(level: 'info' | 'warning' | 'error', text: string): void
}

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
  const note: AreaSetting['note'] = ({ address, result, why = null, when }) => {
    const { startMs, durationMs } = when ?? { startMs: world.clock.now(), durationMs: 0 }
    addToHistory({ kind: 'login', job, startMs, durationMs, identifier: address, result, description: why })
  }
  const base = { credentials, chance: world.chance, log, note }
  const held = loginPrerequisites(store, job)
  const areas = login.areas.map((area, place): Area => {
    if (area.kind !== 'form') return httpArea(area, base)
    const sequence = {
      begin: () => held.begin(place),
      // The session is written down before anybody uses it: a kill then costs no login.
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

  /** With the cookies that are its server's; what it sets is kept. */
  async function send({ url, viaUrl }: DocumentToFetch, asking: Asking): Promise<HttpOutcome> {
    const cookie = cookies.fieldFor(url)
    const fields = [...(asking.fields ?? []), ...(cookie === undefined ? [] : [['Cookie', cookie] as const])]
    const outcome = await request(url, viaUrl ?? undefined, { ...asking, fields })
    if (outcome.kind === 'answered') cookies.take(url, fieldsOf(outcome.head, 'set-cookie'))
    return outcome
  }

  return {
    blocker(url) {
      const area = areaOf(url)
      return area === undefined ? undefined : avoided[area]?.matchedBy(url)
    },
    async fetch(document, own = []) {
      // The rules of a host stand before any login: they are for whoever is not known.
      const place = document.role === 'robots' ? undefined : areaOf(document.url)
      const area = place === undefined ? undefined : areas[place]
      const ask = (asking: Asking) => send(document, { ...asking, fields: [...own, ...(asking.fields ?? [])] })
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
