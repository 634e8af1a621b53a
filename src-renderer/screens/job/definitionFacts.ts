/** The definition of a job as names and values in groups, with every field that is set. Credentials appear by name only. */
import type { HarvestDefinition } from '../../../src-main/contract/services/definition.ts'
import type { AnswerRule, FormLogin, LoginArea } from '../../../src-main/contract/services/login.ts'
import { isLocal, usualConnectors } from '../../../src-main/contract/services/connectors.ts'
import { usualDeduplication } from '../../../src-main/contract/shapes/deduplication.ts'
import { recheckOnce } from '../../../src-main/contract/shapes/recheck.ts'
import type { ThrottleRule } from '../../../src-main/contract/shapes/throttle.ts'
import type { Formats } from '../../parts/formats.ts'
import type { Translate, WordId } from '../../words/words.tsx'
import { linesOfSettings } from '../harvest/connectorDraft.ts'

export interface FactGroup {
  title: string
  facts: { name: string; value: string }[]
}

type Fact = [name: WordId, value: string | number | undefined]

/** `schedule`: the schedule in words, from the engine; undefined until it is loaded. */
export function definitionFacts(
  { t, formats }: { t: Translate; formats: Formats },
  definition: HarvestDefinition,
  schedule: string | undefined,
): FactGroup[] {
  const groups: [title: WordId, facts: Fact[]][] = [
    ['definition.what', whatFacts(t, definition)],
    ['definition.how', howFacts(t, formats, definition)],
    ['form.limits', limitFacts(formats, definition)],
    ['form.schedule', [['job.schedule', schedule]]],
    ['recheck.legend', recheckFacts(t, formats, definition)],
    ['deduplication.legend', deduplicationFacts(t, definition)],
    ['login.legend', loginFacts(t, definition)],
  ]
  return groups
    .map(([title, facts]) => ({
      title: t(title),
      facts: facts.flatMap(([name, value]) =>
        value === undefined || value === '' ? [] : [{ name: t(name), value: String(value) }],
      ),
    }))
    .filter(({ facts }) => facts.length > 0)
}

function whatFacts(t: Translate, definition: HarvestDefinition): Fact[] {
  const { repository, output, repositoryConnection, outputConnection } = definition.connectors ?? usualConnectors
  const { limits, mode } = definition.hops ?? {}
  const isWeb = repository.connector === 'web'
  return [
    ['form.name', definition.name],
    ['form.connection.repository', repositoryConnection],
    ['form.connector', t(`form.connector.${repository.connector}`)],
    ['form.seeds', definition.seeds.join('\n')],
    ['form.changedSince', repository.connector === 'sitemap' ? repository.changedSince : undefined],
    ['form.olderParts', repository.connector === 'feed' && repository.olderParts ? t('definition.yes') : undefined],
    ['form.hidden', repository.connector === 'folder' && repository.hidden ? t('definition.yes') : undefined],
    ['form.module', repository.connector === 'module' ? repository.module : undefined],
    ['form.moduleSettings', repository.connector === 'module' ? linesOfSettings(repository.settings) : undefined],
    ['form.scope', isWeb ? t(`scope.${definition.scope}`) : undefined],
    ['form.maxHops', definition.maxHops],
    [
      'hops.legend',
      lines(Object.entries(limits ?? {}), ([type, most]) => t('job.hops.limit', { type, most: most ?? 0 })),
    ],
    ['hops.mode', mode && t(`hops.mode.${mode}`)],
    ['form.include', definition.include.join('\n')],
    ['form.exclude', definition.exclude.join('\n')],
    [
      'definition.domains',
      lines(Object.entries(definition.domains ?? {}), ([domain, { exclude }]) => `${domain}: ${exclude.join(' ')}`),
    ],
    ['form.connection.output', outputConnection],
    ['form.output', t(`form.output.${output}`)],
    ['form.outputs', lines(definition.outputs ?? [], ({ output: name }) => name, ', ')],
  ]
}

function howFacts(t: Translate, { count, bytes }: Formats, definition: HarvestDefinition): Fact[] {
  const { delayMs, connectionsPerHost, workers, order, robots, throttle, userAgent, resolve } = definition
  const { repository } = definition.connectors ?? usualConnectors
  const limit = ({ match, description, fetchesPerMinute, connections, bytesPerSecond }: ThrottleRule) => {
    const limits = [
      fetchesPerMinute !== undefined && t('definition.throttle.fetches', { count: fetchesPerMinute }),
      connections !== undefined && t('definition.throttle.connections', { count: connections }),
      bytesPerSecond !== undefined && t('definition.throttle.bytes', { bytes: bytes(bytesPerSecond) }),
    ]
    const purpose = description === undefined ? '' : ` – ${description}`
    return `${match}: ${limits.filter(Boolean).join(', ')}${purpose}`
  }
  return [
    ['form.delayMs', delayMs === undefined ? undefined : count(delayMs)],
    ['form.connectionsPerHost', connectionsPerHost],
    ['form.workers', workers],
    ['form.order', order && t(`form.order.${order}`)],
    ['form.robots', isLocal(repository.connector) ? undefined : t(`form.robots.${robots}`)],
    ['throttle.delayFactor', throttle?.delayFactor],
    ['throttle.delayMsMax', throttle?.delayMsMax === undefined ? undefined : count(throttle.delayMsMax)],
    ['throttle.legend', lines(throttle?.rules ?? [], limit)],
    ['form.userAgent', userAgent],
    ['form.resolve', lines(Object.entries(resolve), (pair) => pair.join(' '))],
  ]
}

function limitFacts({ count, bytes, duration }: Formats, definition: HarvestDefinition): Fact[] {
  const { maxObjects, maxBytes, maxSeconds, maxNoResponseSeconds, maxInactiveSeconds } = definition
  const time = (seconds: number | undefined) => (seconds === undefined ? undefined : duration(seconds))
  return [
    ['form.maxObjects', maxObjects === undefined ? undefined : count(maxObjects)],
    ['form.maxBytes', maxBytes === undefined ? undefined : bytes(maxBytes)],
    ['form.maxSeconds', time(maxSeconds)],
    ['form.maxNoResponseSeconds', time(maxNoResponseSeconds)],
    ['form.maxInactiveSeconds', time(maxInactiveSeconds)],
  ]
}

function recheckFacts(t: Translate, { duration }: Formats, { recheck = recheckOnce }: HarvestDefinition): Fact[] {
  const { type, gone, patience, onHardFailure } = recheck
  const span = (field: 'intervalSeconds' | 'intervalSecondsMax' | 'expirySeconds' | 'reseedSeconds'): Fact => {
    const seconds = recheck[field]
    return [`recheck.${field}`, seconds === null ? t(`recheck.${field}.none`) : duration(seconds)]
  }
  return [
    ['recheck.type', t(`recheck.type.${type}`)],
    ...(type === 'continuous'
      ? [span('intervalSeconds'), span('intervalSecondsMax'), span('expirySeconds'), span('reseedSeconds')]
      : []),
    ['recheck.gone', t(`recheck.gone.${gone}`)],
    ['recheck.patience', t(`recheck.patience.${patience}`)],
    ['recheck.onHardFailure', t(`recheck.onHardFailure.${onHardFailure}`)],
  ]
}

function deduplicationFacts(t: Translate, definition: HarvestDefinition): Fact[] {
  const { repository } = definition.connectors ?? usualConnectors
  if (isLocal(repository.connector)) return []
  const { match, jobs, excludedTypes } = definition.deduplication ?? usualDeduplication
  const matched = [['deduplication.match', t(`deduplication.match.${match}`)]] satisfies Fact[]
  if (match === 'off') return matched
  return [
    ...matched,
    ['deduplication.jobs', jobs?.join(', ')],
    ['deduplication.excludedTypes', excludedTypes.join(', ')],
  ]
}

function loginFacts(t: Translate, { login }: HarvestDefinition): Fact[] {
  if (!login) return []
  return [
    ['job.login', login.areas.map((area) => areaText(t, area)).join('\n')],
    ['login.recorded', t(`login.recorded.${login.recorded}`)],
  ]
}

function areaText(t: Translate, area: LoginArea): string {
  const { kind, urls, credential, untrusted } = area
  return [
    t('job.login.area', { kind, urls: urls.join(', '), credential }),
    ...(area.kind === 'form' ? formTexts(t, area) : []),
    ...(untrusted ? [t('login.untrusted')] : []),
  ].join('\n    ')
}

function formTexts(t: Translate, area: FormLogin): string[] {
  const { page, userField, passwordField, otherFields, submitsTo, success, loggedOut, avoid } = area
  const rows: [name: WordId, value: string | undefined][] = [
    ['login.page', page],
    ['login.userField', userField],
    ['login.passwordField', passwordField],
    ['login.otherFields', lines(Object.entries(otherFields), (pair) => pair.join('='), ', ')],
    ['login.submitsTo', submitsTo],
    ['login.success', ruleText(t, success)],
    ['login.loggedOut', ruleText(t, loggedOut)],
    ['login.avoid', lines(avoid, String, ', ')],
  ]
  return rows.flatMap(([name, value]) => (value ? [t('definition.line', { name: t(name), value })] : []))
}

function ruleText(t: Translate, rule: AnswerRule): string {
  const fields = ['status', 'address', 'text', 'textAbsent'] as const
  return fields
    .flatMap((field) => (rule[field] === undefined ? [] : [`${t(`login.answer.${field}`)} “${rule[field]}”`]))
    .join(', ')
}

function lines<Row>(rows: readonly Row[], text: (row: Row) => string, between = '\n'): string {
  return rows.map(text).join(between)
}
