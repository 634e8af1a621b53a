/** What a job was told to do: the definition it was made from, as far as it says anything. */
import type { JobWhole } from '../../../src-main/contract/contract.ts'
import { Facts } from '../../parts/Facts.tsx'
import { useFormats } from '../../parts/formats.ts'
import { Section } from '../../parts/Section.tsx'
import { useWords } from '../../words/words.tsx'

export function JobDefinition({ job }: { job: JobWhole }) {
  const say = useWords()
  const { count, bytes, duration } = useFormats()
  const { definition } = job
  const facts = [
    { name: say('form.seeds'), value: definition.seeds.join('\n') },
    { name: say('form.scope'), value: say(`scope.${definition.scope}`) },
    { name: say('form.maxHops'), value: definition.maxHops === undefined ? null : count(definition.maxHops) },
    {
      name: say('job.hops'),
      value:
        Object.entries(definition.hops?.limits ?? {})
          .map(([type, most]) => say('job.hops.limit', { type, most: count(most ?? 0) }))
          .join('\n') || null,
    },
    { name: say('job.hops.mode'), value: definition.hops ? say(`hops.mode.${definition.hops.mode}`) : null },
    { name: say('form.maxObjects'), value: definition.maxObjects === undefined ? null : count(definition.maxObjects) },
    { name: say('form.maxBytes'), value: definition.maxBytes === undefined ? null : bytes(definition.maxBytes) },
    {
      name: say('form.maxSeconds'),
      value: definition.maxSeconds === undefined ? null : duration(definition.maxSeconds),
    },
    { name: say('form.delayMs'), value: definition.delayMs === undefined ? null : count(definition.delayMs) },
    { name: say('form.connectionsPerHost'), value: definition.connectionsPerHost ?? null },
    { name: say('form.workers'), value: definition.workers ?? null },
    { name: say('form.robots'), value: say(`form.robots.${definition.robots}`) },
    { name: say('form.include'), value: definition.include.join('\n') || null },
    { name: say('form.exclude'), value: definition.exclude.join('\n') || null },
    { name: say('form.userAgent'), value: definition.userAgent ?? null },
    {
      name: say('job.login'),
      value:
        definition.login?.areas
          .map(({ kind, urls, credential }) => say('job.login.area', { kind, urls: urls.join(', '), credential }))
          .join('\n') ?? null,
    },
  ]
  return (
    <Section title={say('job.definition')}>
      <div className="card lines">
        <Facts facts={facts.filter(({ value }) => value !== null)} />
      </div>
    </Section>
  )
}
