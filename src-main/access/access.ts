/** Entrance of the access floor: accounts and sessions; the authority service with its domains, groups, connections and connectors; and the
 *  security rules, which say what a user sees. */
import type {
  AccessRequest,
  AuthorityCheck,
  AuthorityConnectionChange,
  AuthorityConnectionInput,
  AuthorityConnectionRow,
  UserAccess,
} from '../contract/services/authorities.ts'
import type { SecurityDecision, SecurityRule, SecurityRuleInput } from '../contract/services/security.ts'
import { message, type Message } from '../contract/words/message.ts'
import type { RuledCapture } from '../formats/cdx/captureRules.ts'
import type { Store } from '../storage/storage.ts'
import { openAuthorityConnectors, type AuthorityConnectors } from './connectors/authorityConnectors.ts'
import type { WorkerSettings } from './model/accessSettings.ts'
import type { ConnectorParts } from './model/connector.ts'
import { groupDecisions, sightOfEverything, type Sight } from './model/security.ts'
import { keptSights } from './model/keptSights.ts'
import { openRequests } from './requests/requests.ts'
import { answeredInTime } from './requests/timeLimit.ts'
import { openAuthorityConnections, type ConnectionName } from './store/authorityConnections.ts'
import { openDescribed, type Described } from './store/described.ts'
import { firstOf } from './store/firstOf.ts'
import { openSecurityRules } from './store/securityRules.ts'

export { openAccounts } from './accounts/accounts.ts'
export { accountSessionTables } from './accounts/accounts.sql.ts'
export { openConfirmations, type Confirmations } from './accounts/confirmations.ts'
export { openLogIns, type LogIns } from './accounts/logIns.ts'
export { openSessions, type SessionLimits } from './accounts/sessions.ts'
export { accessSettings, type AccessSettings, type HiddenCaptures } from './model/accessSettings.ts'
export { aclsRequestIn, aclsText } from './response/userAcls.ts'
export { sightOfEverything, type Sight } from './model/security.ts'

/** The authority service of an archive. */
export interface Access {
  groups: Described
  domains: Described
  connectors: AuthorityConnectors
  /** Authority and mapping connections. Functions that name one throw `Fault` notFound where there is none. */
  connections: {
    list(): AuthorityConnectionRow[]
    show(named: ConnectionName): AuthorityConnectionRow
    /** Adds a connection. Throws `Fault` badInput for a name that is taken or absent, and for settings that its connector refuses. */
    add(input: AuthorityConnectionInput): AuthorityConnectionRow
    /** Changes a connection and drops the answers that were kept of it. Throws `Fault` badInput as `add`, and for a circle of mappings. */
    edit(named: ConnectionName, change: AuthorityConnectionChange): AuthorityConnectionRow
    /** Removes a connection. Throws `Fault` refused for a mapping that another connection names. */
    remove(named: ConnectionName): void
    /** Checks whether a connection can be used now, within its time limit. */
    check(named: ConnectionName): Promise<AuthorityCheck>
  }
  /** Asks for the tokens of a user. Rejects with `Fault`: badInput, notAllowed for a connector that is not installed, unreachable when too much is
   *  asked at once. */
  ask(request: AccessRequest): Promise<UserAccess>
  /** Which tokens captures need. */
  security: {
    /** The rules, or those that concern a job. */
    rules(job?: number): SecurityRule[]
    /** Adds a rule, or replaces the tokens of the one for the same job, prefix, level and group. Throws `Fault`: badInput without tokens and for a
     *  group that does not exist, refused when there are too many. */
    set(given: SecurityRuleInput): SecurityRule
    /** Throws `Fault` notFound. */
    remove(rule: number): void
    /** Whether a user may see a capture, and why. Rejects as `ask`. */
    decide(request: AccessRequest, capture: RuledCapture): Promise<SecurityDecision>
    /** What a user sees. Rejects as `ask`: without an answer nothing is shown. Authorities are asked only where rules are. */
    sightOf(request: AccessRequest): Promise<Sight>
  }
}

interface AccessParts extends ConnectorParts {
  store: Store
  settings: () => WorkerSettings
  /** Takes an error of a connector that is a bug. */
  onBug(error: unknown): void
}

/** Opens the service. It needs no closing: it keeps nothing open between two requests. */
export function openAccess(parts: AccessParts): Access {
  const { store, settings, onBug } = parts
  const { clock } = parts.world
  const stored = openAuthorityConnections(store)
  const connectors = openAuthorityConnectors({ ...parts, countOf: stored.countOf })
  const { isInstalled, authorityOf, mappingOf } = connectors
  const rules = openSecurityRules(store)
  const sights = keptSights()
  const requests = openRequests({ clock, settings, onBug, rows: stored.list, isInstalled, authorityOf, mappingOf })

  /** Drops the answers of all connections: a connector may have changed, and another one begins to give names. */
  function forgetAll(): void {
    for (const { kind, name } of stored.list()) requests.forget(kind, name)
  }

  async function problemOf(row: AuthorityConnectionRow): Promise<Message | undefined> {
    const { name, connector, kind } = row
    if (!isInstalled(row)) return message('authority.notInstalled', { name, connector })
    const connection = kind === 'authority' ? authorityOf(row) : mappingOf(row)
    const checked = await answeredInTime({ clock, onBug }, row, (signal) => connection.check(signal))
    return 'value' in checked ? checked.value : checked.problem
  }

  return {
    groups: openDescribed(store, 'authgroup'),
    domains: openDescribed(store, 'authdomain'),
    connectors: {
      ...connectors,
      async install(given) {
        const row = await connectors.install(given)
        forgetAll()
        return row
      },
    },
    connections: {
      list: stored.list,
      show: stored.show,
      add(input) {
        connectors.refuseWrong(input)
        const row = stored.add(input)
        // One of this name may have been removed.
        requests.forget(row.kind, row.name)
        return row
      },
      edit(named, change) {
        const changed = stored.changed(named, change)
        connectors.refuseWrong(changed)
        const row = stored.replace(changed)
        requests.forget(row.kind, row.name)
        return row
      },
      remove(named) {
        stored.remove(named)
        requests.forget(named.kind, named.name)
      },
      async check(named) {
        const problem = await problemOf(stored.show(named))
        return { isWorking: problem === undefined, status: problem ?? message('connection.working') }
      },
    },
    ask: requests.ask,
    security: {
      rules: (job) => rules.current().filter((rule) => job === undefined || rule.job === null || rule.job === job),
      set: rules.set,
      remove: rules.remove,
      async decide(request, capture) {
        const access = await requests.ask(request)
        const groups = groupDecisions(rules.current(), new Set(access.tokens), capture)
        const refusing = groups.filter(({ isAgreed }) => !isAgreed)
        return { maySee: refusing.length === 0, message: reason(groups.length, refusing), groups, access }
      },
      async sightOf(request) {
        if (rules.current().length === 0) return sightOfEverything
        const { tokens } = await requests.ask(request)
        return sights(rules.current(), tokens)
      },
    },
  }
}

/** Says why a capture is shown or not. */
function reason(groupsTotal: number, refusing: readonly { group: string }[]): Message {
  if (groupsTotal === 0) return message('security.open')
  if (refusing.length === 0) return message('security.seen')
  const names = firstOf(refusing.map(({ group }) => group))
  return message('security.hidden', { count: refusing.length, names })
}
