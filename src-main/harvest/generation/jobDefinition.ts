/** The definition of a generated job: the settings of its template with what its configurations and its harvest add. */
import { storedDefinition, type HarvestDefinition } from '../../contract/services/definition.ts'
import type { Login } from '../../contract/services/login.ts'
import type { TemplateSettings } from '../../contract/services/templates.ts'
import type { GenerationSettings } from '../model/generationSettings.ts'
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
  /** Limits of jobs whose template has none; 0: unlimited. */
  limits: Pick<GenerationSettings, 'noResponseSecondsMax' | 'inactiveSecondsMax'>
}

/** Returns the definition. */
export function jobDefinitionOf({
  name,
  settings,
  configurations,
  globalTraps,
  secondsMax,
  limits,
}: JobParts): HarvestDefinition {
  const { login, exclude, domains, maxSeconds, ...others } = settings
  const areas = [...(login?.areas ?? []), ...configurations.flatMap(({ loginAreas }) => loginAreas)]
  const seconds = leastLimit(maxSeconds ?? null, secondsMax)
  // A continuous job waits for the next visit of its pages.
  const isContinuous = settings.recheck?.type === 'continuous'
  return storedDefinition.parse({
    ...(isContinuous
      ? {}
      : {
          ...positive('maxNoResponseSeconds', limits.noResponseSecondsMax),
          ...positive('maxInactiveSeconds', limits.inactiveSecondsMax),
        }),
    ...{ ...others, name, seeds: [...new Set(configurations.flatMap(({ seeds }) => seeds))] },
    exclude: [...new Set([...exclude, ...globalTraps])],
    ...{ domains: withTraps(domains ?? {}, configurations) },
    ...(areas.length > 0 ? { login: { ...login, areas } } : {}),
    ...(seconds === null ? {} : { maxSeconds: Math.max(1, seconds) }),
  })
}

function positive(name: string, seconds: number): Record<string, number> {
  return seconds > 0 ? { [name]: seconds } : {}
}

type DomainRules = NonNullable<HarvestDefinition['domains']>

function withTraps(rules: DomainRules, configurations: readonly ConfigurationPart[]): DomainRules {
  const all = { ...rules }
  for (const { domain, traps } of configurations)
    if (traps.length > 0) all[domain] = { ...all[domain], exclude: [...(all[domain]?.exclude ?? []), ...traps] }
  return all
}
