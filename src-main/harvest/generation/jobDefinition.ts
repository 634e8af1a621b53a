/** The definition of a generated job: the settings of its template with what its configurations and its harvest add. */
import { storedDefinition, type HarvestDefinition } from '../../contract/services/definition.ts'
import type { Login } from '../../contract/services/login.ts'
import type { TemplateSettings } from '../../contract/services/templates.ts'
import { leastLimit } from '../model/configurations.ts'

/** What one configuration adds. */
export interface ConfigurationPart {
  domain: string
  seeds: readonly string[]
  traps: readonly string[]
  loginAreas: Login['areas']
}

interface JobParts {
  name: string
  settings: TemplateSettings
  configurations: readonly ConfigurationPart[]
  /** Patterns of URLs that no job fetches. */
  globalTraps: readonly string[]
  /** Most time for the job; null: unlimited. */
  secondsMax: number | null
}

/** Returns the definition. */
export function jobDefinitionOf({
  name,
  settings,
  configurations,
  globalTraps,
  secondsMax,
}: JobParts): HarvestDefinition {
  const { login, exclude, domains, maxSeconds, ...others } = settings
  const areas = [...(login?.areas ?? []), ...configurations.flatMap(({ loginAreas }) => loginAreas)]
  const seconds = leastLimit(maxSeconds ?? null, secondsMax)
  return storedDefinition.parse({
    ...{ ...others, name, seeds: [...new Set(configurations.flatMap(({ seeds }) => seeds))] },
    exclude: [...new Set([...exclude, ...globalTraps])],
    ...{ domains: withTraps(domains ?? {}, configurations) },
    ...(areas.length > 0 ? { login: { ...login, areas } } : {}),
    ...(seconds === null ? {} : { maxSeconds: Math.max(1, seconds) }),
  })
}

type DomainRules = NonNullable<HarvestDefinition['domains']>

function withTraps(rules: DomainRules, configurations: readonly ConfigurationPart[]): DomainRules {
  const all = { ...rules }
  for (const { domain, traps } of configurations)
    if (traps.length > 0) all[domain] = { ...all[domain], exclude: [...(all[domain]?.exclude ?? []), ...traps] }
  return all
}
