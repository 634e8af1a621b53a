/**
 * Rules for single domains of a harvest: a job of many domains has the crawler traps of each, and none of them applies to the URLs of
 * another.
 */
import { z } from 'zod'
import { refusedAs } from '../calls/refusedValue.ts'
import { message } from '../words/message.ts'

/** Patterns in one list: enough for every crawler trap that an archive knows. */
export const patternsMax = 10_000
/** Patterns of all domains together. They are compiled when a URL of their domain is found. */
const domainPatternsMax = 200_000

/** Rules by registered domain, for example `example.co.uk`, in lower case. */
export const domainRulesShape = z
  .record(
    z.string().min(1).max(253),
    z.strictObject({
      /** Patterns of URLs of the domain that are not fetched. */
      exclude: z.array(z.string()).max(patternsMax).default([]),
    }),
  )
  .refine(
    (domains) => Object.values(domains).reduce((sum, { exclude }) => sum + exclude.length, 0) <= domainPatternsMax,
    refusedAs((field) => message('value.domainPatterns', { field, most: domainPatternsMax })),
  )
export type DomainRules = z.output<typeof domainRulesShape>
