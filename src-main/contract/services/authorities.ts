/**
 * The authority service: which access tokens a user has. Authority connections give tokens, mapping connections give a user the name that an
 * authority knows, groups say whose documents the tokens open, and domains say which connections are asked. They are those of ManifoldCF.
 */
import { z } from 'zod'
import { call, event } from '../calls/service.ts'
import { authorityKinds, authorityStatuses } from '../shapes/choices.ts'
import { commentsShape, nameShape } from '../shapes/names.ts'
import { count, messageShape, nothing } from '../shapes/shapes.ts'
import { connectorStates } from '../states/connectorStates.ts'

export type AuthorityKind = (typeof authorityKinds)[number]
export type AuthorityStatus = (typeof authorityStatuses)[number]

/** Lengths of names and descriptions, as in ManifoldCF in Action, table 11.4. */
const groupNameCharactersMax = 32
const descriptionCharactersMax = 255

export const groupName = nameShape.max(groupNameCharactersMax)
/** Name of a domain; empty: the default domain. */
const domainName = z.union([z.string().trim().length(0), nameShape])
const description = z.string().trim().max(descriptionCharactersMax)

const groupShape = z.strictObject({ name: groupName, description: description.default('') })
const domainShape = z.strictObject({ name: nameShape, description: description.default('') })
const describedRow = z.object({
  name: z.string(),
  description: z.string(),
  /** Number of authority connections that name it. */
  authorities: count,
  /** Number of security rules that name it; none names a domain. */
  rules: count,
})
/** A group or a domain, as it is listed. */
export type DescribedRow = z.output<typeof describedRow>

/** Settings of a connector: it says which it has. */
const connectorSettings = z.record(z.string().min(1).max(100), z.string().max(10_000))

/** How a connection is asked, and how long its answers are kept. */
const limits = {
  /** Questions at once. */
  connectionsMax: z.int().min(1).max(1_000),
  /** Time limit of an answer: after it, the authority counts as unreachable. */
  answerSecondsMax: z.int().min(1).max(600),
  /** Time for which an answer is kept; 0: it is asked again each time. */
  cacheSeconds: z.int().min(0).max(86_400),
  /** Users whose answers are kept. */
  cachedUsersMax: z.int().min(1).max(1_000_000),
}

/** Values where the user gives none. The maximum and the cache are ManifoldCF's; ManifoldCF has no time limit. */
const usual = {
  connectionsMax: 10,
  answerSecondsMax: 10,
  cacheSeconds: 60,
  cachedUsersMax: 1_000,
}

const commonInput = {
  name: nameShape,
  description: commentsShape.default(''),
  /** Name of an installed connector. */
  connector: nameShape,
  settings: connectorSettings.default({}),
  /** Mapping connection that gives the user name; absent: the name is asked as it was given. */
  mapping: nameShape.optional(),
  connectionsMax: limits.connectionsMax.default(usual.connectionsMax),
  answerSecondsMax: limits.answerSecondsMax.default(usual.answerSecondsMax),
  cacheSeconds: limits.cacheSeconds.default(usual.cacheSeconds),
  cachedUsersMax: limits.cachedUsersMax.default(usual.cachedUsersMax),
}

const authorityInput = z.strictObject({
  kind: z.literal('authority'),
  ...commonInput,
  /** Users of this domain are asked about; empty: the default domain. */
  domain: domainName.default(''),
  /** The group whose documents its tokens open. */
  group: groupName,
})
const mappingInput = z.strictObject({ kind: z.literal('mapping'), ...commonInput })

/** What a user gives a connection of the authority service. */
export const authorityConnectionInput = z.discriminatedUnion('kind', [authorityInput, mappingInput])
export type AuthorityConnectionInput = z.output<typeof authorityConnectionInput>

/** What of a connection is changed; absent: it stays. Its kind and name never change. */
export const authorityConnectionChange = z.strictObject({
  description: commentsShape.optional(),
  connector: nameShape.optional(),
  settings: connectorSettings.optional(),
  /** null: none. */
  mapping: nameShape.nullable().optional(),
  domain: domainName.optional(),
  group: groupName.optional(),
  connectionsMax: limits.connectionsMax.optional(),
  answerSecondsMax: limits.answerSecondsMax.optional(),
  cacheSeconds: limits.cacheSeconds.optional(),
  cachedUsersMax: limits.cachedUsersMax.optional(),
})
export type AuthorityConnectionChange = z.output<typeof authorityConnectionChange>

/** A connection, as it is listed. */
export type AuthorityConnectionRow = AuthorityConnectionInput

/** A connector of the authority service, as it is listed. */
const authorityConnectorRow = z.object({
  kind: z.enum(authorityKinds),
  name: z.string(),
  description: messageShape,
  /** Absolute path of the user's module; null: the connector is part of Loupe. */
  module: z.string().nullable(),
  state: z.enum(connectorStates.states),
  /** Number of connections that use it. */
  connections: count,
})
export type AuthorityConnectorRow = z.output<typeof authorityConnectorRow>

/** A connector to install: one of Loupe by its name, or a module of the user under a name. */
const connectorInstallation = z.strictObject({
  kind: z.enum(authorityKinds).default('authority'),
  name: nameShape,
  /** Absolute path of the user's module. */
  module: z.string().trim().min(1).max(4_096).optional(),
  description: description.optional(),
})
export type ConnectorInstallation = z.output<typeof connectorInstallation>

/** Result of checking a connection: whether it can be used, and "Connection working" or what is wrong. */
const authorityCheck = z.object({ isWorking: z.boolean(), status: messageShape })
export type AuthorityCheck = z.output<typeof authorityCheck>

/** User and domain pairs in one request; more is a mistake. */
const usersMax = 20

/** Whose tokens are asked for: the name of one person in one or several domains. */
export const accessRequest = z.strictObject({
  users: z
    .array(z.strictObject({ user: z.string().min(1).max(1_000), domain: domainName.default('') }))
    .min(1)
    .max(usersMax),
})
export type AccessRequest = z.output<typeof accessRequest>

/** What one authority answered. */
const authorityAnswer = z.object({
  authority: z.string(),
  description: z.string(),
  group: z.string(),
  domain: z.string(),
  /** The user name that it was asked about; null: a mapping gave none. */
  user: z.string().nullable(),
  status: z.enum(authorityStatuses),
  /** Its tokens, without the group. */
  tokens: z.array(z.string()),
  /** Time of the answer, with its mappings; 0 for one that was kept. */
  milliseconds: count,
  /** Why there is no better answer; null: it needs no explanation. */
  problem: messageShape.nullable(),
})
export type AuthorityAnswer = z.output<typeof authorityAnswer>

/** What a user may see: the tokens of all authorities, as GROUP:TOKEN, and what each of them answered. */
export const userAccess = z.object({ tokens: z.array(z.string()), answers: z.array(authorityAnswer) })
export type UserAccess = z.output<typeof userAccess>

const kind = z.enum(authorityKinds).default('authority')
const named = z.strictObject({ kind, name: nameShape })
const described = z.strictObject({ name: nameShape, description })

export const authorityCalls = {
  /** Lists the connections, authorities before mappings, each by name. */
  list: call(nothing, z.array(authorityConnectionInput)),
  show: call(named, authorityConnectionInput),
  add: call(authorityConnectionInput, authorityConnectionInput),
  edit: call(z.strictObject({ kind, name: nameShape, change: authorityConnectionChange }), authorityConnectionInput),
  /** Removes a connection. Refused for a mapping that another connection names. */
  remove: call(named, nothing),
  /** Checks whether a connection can be used now. */
  check: call(named, authorityCheck),
  groups: call(nothing, z.array(describedRow)),
  addGroup: call(groupShape, describedRow),
  editGroup: call(described, describedRow),
  /** Removes a group. Refused while an authority connection names it. */
  removeGroup: call(z.strictObject({ name: nameShape }), nothing),
  /** Lists the domains; the default domain, whose name is empty, is always there. */
  domains: call(nothing, z.array(describedRow)),
  addDomain: call(domainShape, describedRow),
  editDomain: call(described, describedRow),
  /** Removes a domain. Refused while an authority connection names it. */
  removeDomain: call(z.strictObject({ name: nameShape }), nothing),
  connectors: call(nothing, z.array(authorityConnectorRow)),
  /** Installs a connector. A module of the user is loaded, and its function `install` is called, if it has one. */
  install: call(connectorInstallation, authorityConnectorRow),
  /** Deinstalls a connector. Requests that need one of its connections fail until it is installed again. */
  deinstall: call(named, authorityConnectorRow),
  /** Asks every authority connection of the domains which tokens the user has. */
  ask: call(accessRequest, userAccess),
  /** A domain, group, connection or connector was added, changed or removed. */
  changed: event(nothing),
} as const
