/** Parsers of option values. Each reads one word, or throws with an example of what it should look like. */
import { outputChoiceShape, type OutputChoice } from '../../../contract/shapes/outputChoice.ts'
import { throttleRule as throttleRuleShape, type ThrottleRule } from '../../../contract/shapes/throttle.ts'
import { InvalidArgumentError } from 'commander'
import type { ConfigurationName } from '../../../contract/services/harvestDefinitions.ts'
import { bytesIn, milliseconds } from '../../../contract/text/amounts.ts'
import { linkTypes } from '../../../contract/shapes/choices.ts'
import { Fault } from '../../../contract/calls/faults.ts'
import { momentsOf } from '../output/moments.ts'
import { patternProblem } from '../../../contract/shapes/pattern.ts'
import { message } from '../../../contract/words/message.ts'
import { textOf } from '../../../contract/words/render.ts'

/** Reads a whole number, 0 or more. */
export function whole(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError(textOf(message('cli.word.whole')))
  return Number(text)
}

/** Reads a whole number, 1 or more. */
export function positive(text: string): number {
  return atLeastOne(whole(text))
}

/** Reads the number of a job. Throws `Fault` badInput. */
export function jobNumber(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new Fault('badInput', message('cli.option.jobNumber', { text }))
  return Number(text)
}

/** Reads the number of a harvest definition. Throws `Fault` badInput. */
export function harvestNumber(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new Fault('badInput', message('cli.option.harvestNumber', { text }))
  return Number(text)
}

/** Reads a domain configuration: `example.org`, or `example.org/weekly` for one that is not the default. */
export function configuration(text: string): ConfigurationName {
  const [domain = '', name = ''] = text.split('/', 2)
  return { domain: domain.trim().toLowerCase(), configuration: name.trim() || 'default' }
}

/** Collects domain configurations. */
export function configurations(text: string, before: ConfigurationName[] | undefined): ConfigurationName[] {
  return [...(before ?? []), configuration(text)]
}

/** Reads numbers of jobs, separated by commas. */
export function jobNumbers(text: string): number[] {
  const jobs = text.split(',').map((part) => part.trim())
  if (jobs.some((part) => !/^[1-9]\d{0,14}$/.test(part)))
    throw new InvalidArgumentError(textOf(message('cli.word.jobs')))
  return [...new Set(jobs.map(Number))]
}

/** Reads the number of a TCP port; 0 lets the system choose. */
export function port(text: string): number {
  const value = whole(text)
  if (value > 65_535) throw new InvalidArgumentError(textOf(message('cli.word.port')))
  return value
}

/** Reads a time of any precision (`moments.ts`), in UTC unless it names a zone. Returns its first moment, in ISO 8601. */
export function moment(text: string): string {
  const found = momentsOf(text)
  if (!found) throw new InvalidArgumentError(textOf(message('cli.word.moment')))
  return found.first
}

/** Reads a pattern. */
export function pattern(text: string): string {
  const problem = patternProblem(text)
  if (problem !== null) throw new InvalidArgumentError(textOf(problem))
  return text
}

/** Collects the values of an option that may be repeated. */
export function several(text: string, before: string[] | undefined): string[] {
  return [...(before ?? []), text]
}

/** Reads values separated by commas. An empty text is an empty list. */
export function listed(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

/** Collects patterns. */
export function patterns(text: string, before: string[] | undefined): string[] {
  return [...(before ?? []), pattern(text)]
}

/** Collects addresses of host names, each `HOST=ADDRESS`. */
export function hostAddress(text: string, before: Record<string, string> | undefined): Record<string, string> {
  const [host, address] = text.split('=', 2)
  if (!host || !address) throw new InvalidArgumentError(textOf(message('cli.word.host')))
  return { ...before, [host.toLowerCase()]: address }
}

/** Collects limits of hops by type of link, each `TYPE=COUNT`. */
export function hopLimit(text: string, before: Record<string, number> | undefined): Record<string, number> {
  const [type = '', most = ''] = text.split('=', 2)
  if (!linkTypes.some((each) => each === type) || !/^\d{1,9}$/.test(most))
    throw new InvalidArgumentError(textOf(message('cli.word.hops', { types: linkTypes.join(', ') })))
  return { ...before, [type]: Number(most) }
}

/** Reads a size in bytes: `500000`, `500kB`, `2GB`, `2GiB`. */
export function size(text: string): number {
  const bytes = bytesIn(text)
  if (bytes === undefined) throw new InvalidArgumentError(textOf(message('cli.word.size')))
  return bytes
}

/** Reads a size of at least one byte. */
export function positiveSize(text: string): number {
  return atLeastOne(size(text))
}

/** Reads a duration in seconds: `90`, `90s`, `30m`, `2h`, `7d`. */
export function seconds(text: string): number {
  return atLeastOne(wholeUnits(text, { ms: 1_000, example: '90' }))
}

/** Reads a duration in milliseconds: `500`, `500ms`, `2s`. */
export function delayMs(text: string): number {
  return wholeUnits(text, { ms: 1, example: '500' })
}

/** Reads a duration in minutes: `180`, `180m`, `3h`. */
export function minutes(text: string): number {
  return atLeastOne(wholeUnits(text, { ms: 60_000, example: '180' }))
}

/** Reads a duration in the unit that the option counts in, which is `ms` milliseconds long. */
function wholeUnits(text: string, { ms, example }: { ms: number; example: string }): number {
  const units = (milliseconds(text, ms) ?? NaN) / ms
  if (!Number.isInteger(units)) throw new InvalidArgumentError(textOf(message('cli.word.duration', { example })))
  return units
}

function atLeastOne(value: number): number {
  if (value < 1) throw new InvalidArgumentError(textOf(message('cli.word.min')))
  return value
}

/** Seconds, or `never`. Null is not usable: commander takes a null for a parser that has failed, and puts an empty text in its place. */
export type Span = number | 'never'

/** Reads `90s`, `30m`, `12h` or `7d` as seconds, or `never`. */
export function span(text: string): Span {
  if (text === 'never') return 'never'
  const seconds = (milliseconds(text) ?? NaN) / 1_000
  if (!Number.isInteger(seconds) || seconds < 1) throw new InvalidArgumentError(textOf(message('cli.word.span')))
  return seconds
}

const limitNames = { fetches: 'fetchesPerMinute', connections: 'connections', bytes: 'bytesPerSecond' } as const

/**
 * Reads a throttle rule: `\.example\.org$=30` allows 30 requests a minute to each host that matches;
 * `…=fetches:30,connections:2,bytes:50000` sets several bounds. Text after ` # ` describes the rule.
 */
export function throttleRule(given: string, before: ThrottleRule[] | undefined): ThrottleRule[] {
  const [text = '', description] = given.split(/\s+#\s+(.*)/s)
  const at = text.lastIndexOf('=')
  const limits = text
    .slice(at + 1)
    .split(',')
    .map((limit) => {
      const [name, value] = limit.includes(':') ? limit.split(':', 2) : ['fetches', limit]
      return [
        limitNames[name as keyof typeof limitNames] ?? name,
        name === 'bytes' ? (bytesIn(value ?? '') ?? NaN) : Number(value || NaN),
      ] as const
    })
  const rule = {
    match: text.slice(0, Math.max(0, at)),
    ...Object.fromEntries(limits),
    ...(description && { description }),
  }
  const checked = throttleRuleShape.safeParse(rule)
  if (!checked.success) throw new InvalidArgumentError(textOf(message('cli.word.throttle')))
  pattern(checked.data.match)
  return [...(before ?? []), checked.data]
}

/** Reads an output connection of a harvest: `catalogue`, or `catalogue=types:text/html|text/plain,bytes:1000000,title:dc_title`. */
export function outputChoice(given: string, before: OutputChoice[] | undefined): OutputChoice[] {
  const [output = '', written = ''] = given.split(/=(.*)/s)
  const pairs = written.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.split(/:(.*)/s).slice(0, 2)]))
  const fields = pairs.filter(([name]) => name !== 'types' && name !== 'bytes')
  const valueOf = (wanted: string) => pairs.find(([name]) => name === wanted)?.[1]
  const [types, bytes] = [valueOf('types'), valueOf('bytes')]
  const checked = outputChoiceShape.safeParse({
    output,
    ...(types !== undefined && { mediaTypes: types.split('|') }),
    ...(bytes !== undefined && { bytesMax: bytesIn(bytes) ?? NaN }),
    ...(fields.length > 0 && { fields: Object.fromEntries(fields) as Record<string, string> }),
  })
  if (!checked.success) throw new InvalidArgumentError(textOf(message('cli.word.deliverTo')))
  return [...(before ?? []), checked.data]
}

export const sha256Digits = 64

/** Returns true for a SHA-256 in lower case. */
export function isSha256(text: string): boolean {
  return text.length === sha256Digits && /^[0-9a-f]+$/.test(text)
}
