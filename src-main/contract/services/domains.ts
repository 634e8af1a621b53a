/**
 * Domains: what an institution harvests. Each has configurations (a template with seeds and limits), seed lists, crawler traps, perhaps an
 * alias, and further fields that the institution defines. The semantics are those of NetarchiveSuite's domains.
 */
import { z } from 'zod'
import { call, event } from '../calls/service.ts'
import { commentsShape, nameShape } from '../shapes/names.ts'
import { count, jobId, messageShape, nothing, page, time } from '../shapes/shapes.ts'
import { loginAreas } from './login.ts'

/** Name of the configuration and of the seed list that a new domain gets. */
export const defaultConfigurationName = 'default'
/** Bytes to which the configuration of a new domain is limited (NetarchiveSuite, `defaultMaxbytes`). */
export const defaultBytesMax = 1_000_000_000

/** A domain as users write it; it is reduced to its registered domain. */
const domainName = z.string().trim().min(1).max(253)
const limit = z.int().min(0).nullable()
/** Patterns in one list. */
const patternsMax = 10_000
const patterns = z.array(z.string().min(1)).max(patternsMax)
/** Characters of one seed list. */
const seedCharactersMax = 20_000_000
const fieldValue = z.union([z.string(), z.number(), z.boolean()])
/** Values of extended fields, by name. */
export const fieldValues = z.record(z.string(), fieldValue)
export type FieldValues = z.output<typeof fieldValues>

/** A configuration of a domain. */
export const domainConfiguration = z.strictObject({
  name: nameShape,
  template: nameShape.default('default'),
  /** Null: unlimited. 0: nothing is fetched. */
  objectsMax: limit.default(null),
  bytesMax: limit.default(defaultBytesMax),
  /** Names of the seed lists that it uses. */
  seedLists: z.array(nameShape).min(1).default([defaultConfigurationName]),
  /** Logins of the domain, which name credentials. */
  loginAreas: loginAreas.nullable().default(null),
  fields: fieldValues.default({}),
  comments: commentsShape.default(''),
})
export type DomainConfiguration = z.output<typeof domainConfiguration>

/** A seed list of a domain. */
export const seedList = z.strictObject({
  name: nameShape,
  /** One URL per line; lines that begin with # are comments. */
  seeds: z.string().max(seedCharactersMax),
  comments: commentsShape.default(''),
})
export type SeedList = z.output<typeof seedList>

const aliasShape = z.object({ of: z.string(), expires: time })

/** Shape of a domain as it is listed. */
export const domainRow = z.object({
  domain: z.string(),
  comments: z.string(),
  defaultConfiguration: z.string(),
  configurations: count,
  /** Null: it is no alias. */
  alias: aliasShape.nullable(),
  added: time,
})
export type DomainRow = z.output<typeof domainRow>

/** Shape of a domain with everything that belongs to it. */
export const domainDetails = domainRow.extend({
  configurations: z.array(domainConfiguration),
  seedLists: z.array(seedList),
  traps: patterns,
  fields: fieldValues,
  /** Domains that are aliases of this one. */
  aliases: z.array(z.string()),
  /** Harvests that use one of its configurations. */
  harvests: z.array(z.string()),
})
export type DomainDetails = z.output<typeof domainDetails>

/** What of a domain is changed. Absent: it stays. */
export const domainChange = z.strictObject({
  domain: domainName,
  comments: commentsShape.optional(),
  defaultConfiguration: nameShape.optional(),
  traps: patterns.optional(),
  /** Another domain, to which it redirects or which has the same content; null: none. Naming it again renews it. */
  aliasOf: domainName.nullable().optional(),
  fields: fieldValues.optional(),
})
export type DomainChange = z.output<typeof domainChange>

/** A line of a list that is no domain. */
const refusedLine = z.object({ line: z.int().min(1), text: z.string(), problem: messageShape })

/** What a list of domains has added. */
export const domainsAdded = z.object({
  added: count,
  /** Lines that name a domain which existed or was named before. */
  known: count,
  refused: z.array(refusedLine),
})
export type DomainsAdded = z.output<typeof domainsAdded>

const named = z.strictObject({ domain: domainName })
const part = z.strictObject({ domain: domainName, name: nameShape })

export const domainCalls = {
  /** Lists domains by name. `text`: those whose name contains it. */
  list: call(
    z.strictObject({ text: z.string().optional(), aliases: z.boolean().optional(), ...page }),
    z.object({ rows: z.array(domainRow), total: count }),
  ),
  show: call(named, domainDetails),
  /** Adds domains from a list with one name or URL per line; lines that begin with # are comments. */
  addList: call(z.strictObject({ text: z.string().max(seedCharactersMax) }), domainsAdded),
  edit: call(domainChange, domainDetails),
  /** Adds a configuration, or replaces the one with this name. */
  setConfiguration: call(z.strictObject({ domain: domainName, configuration: domainConfiguration }), domainDetails),
  /** Refused for the default configuration, and for one that a harvest uses. */
  removeConfiguration: call(part, domainDetails),
  /** Adds a seed list, or replaces the one with this name. */
  setSeedList: call(z.strictObject({ domain: domainName, seedList }), domainDetails),
  /** Refused while a configuration uses it. */
  removeSeedList: call(part, domainDetails),
  /** Removes a domain with everything of it, except results of jobs. Refused while a harvest uses it or another domain is its alias. */
  remove: call(named, nothing),
  /** Lists the registered domains of the hosts that a job has found, those with most fetched URLs first. */
  found: call(
    z.strictObject({ job: jobId, ...page }),
    z.object({ rows: z.array(z.object({ domain: z.string(), fetched: count, isKnown: z.boolean() })), total: count }),
  ),
  changed: event(z.object({ domain: z.string().nullable() })),
} as const

/** A list of crawler traps for all domains. */
export const trapList = z.strictObject({
  name: nameShape,
  comments: commentsShape.default(''),
  isActive: z.boolean().default(true),
  patterns,
})
export type TrapList = z.output<typeof trapList>

export const crawlerTrapCalls = {
  list: call(nothing, z.array(trapList)),
  /** Adds a list, or replaces the one with this name. */
  set: call(trapList, trapList),
  remove: call(z.strictObject({ name: nameShape }), nothing),
} as const

/** What extended fields are about. */
export const fieldSubjects = ['domain', 'configuration', 'harvest'] as const
/** Kinds of values that extended fields have. */
export const fieldKinds = ['text', 'number', 'boolean', 'date', 'choice', 'note'] as const

/** A further field that an institution defines. */
export const extendedField = z.strictObject({
  subject: z.enum(fieldSubjects),
  name: nameShape,
  kind: z.enum(fieldKinds),
  /** Of kind choice. */
  choices: z.array(z.string().min(1)).max(1_000).default([]),
  /** Value of those that give none; null: they have none. */
  usual: fieldValue.nullable().default(null),
  isRequired: z.boolean().default(false),
})
export type ExtendedField = z.output<typeof extendedField>

export const extendedFieldCalls = {
  list: call(nothing, z.array(extendedField)),
  /** Adds a field as the last of its subject, or replaces the one with this name. */
  set: call(extendedField, extendedField),
  /** Removes a field. Values that were given stay, and are not shown. */
  remove: call(z.strictObject({ subject: z.enum(fieldSubjects), name: nameShape }), nothing),
} as const
