/** The verbs `loupe security …`: which access tokens captures need, and whether a user may see one. */
import {
  securityRuleInput,
  type GroupDecision,
  type SecurityRule,
  type TokenLevel,
} from '../../../contract/services/security.ts'
import { textFor, textOf } from '../../../contract/words/render.ts'
import { checkedInput } from '../input/checkedInput.ts'
import { optionName } from '../input/optionName.ts'
import { table } from '../output/output.ts'
import type { Command, ExitCode } from '../session/command.ts'

/** Options of `set`. */
export interface RuleOptions {
  group: string
  allow?: string[]
  deny?: string[]
  job?: number
  prefix?: string
  level: TokenLevel
}

/** Options of `show`. */
export interface DecideOptions {
  job?: number
  domain: string
}

export async function listRules(command: Command, { job }: { job?: number }): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const rules = await services.security.rules({ ...(job !== undefined && { job }) })
    command.output.result(rules, () => (rules.length === 0 ? textFor('cli.security.none') : rulesText(rules)))
    return 0
  })
}

export async function setRule(command: Command, { prefix, ...given }: RuleOptions): Promise<ExitCode> {
  const input = { ...given, ...(prefix !== undefined && { surtPrefix: prefix }) }
  const checked = checkedInput(securityRuleInput.safeParse(input), optionAt, input)
  return command.withSession('looks', async ({ services }) => {
    const rule = await services.security.set(checked)
    command.output.result(rule, () => rulesText([rule]))
    return 0
  })
}

export async function removeRule(command: Command, rule: number): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    await services.security.remove({ rule })
    command.output.result({ removed: rule }, () => textFor('cli.security.removed', { rule }))
    return 0
  })
}

/** Tells whether a user may see a capture, and why. The exit code is 1 if not. */
export async function showDecision(
  command: Command,
  { user, url }: { user: string; url: string },
  { job, domain }: DecideOptions,
): Promise<ExitCode> {
  return command.withSession('looks', async ({ services }) => {
    const decided = await services.security.decide({ users: [{ user, domain }], url, job: job ?? null })
    command.output.result(decided, () =>
      [textOf(decided.message), ...(decided.groups.length === 0 ? [] : [groupsText(decided.groups)])].join('\n\n'),
    )
    for (const { authority, problem } of decided.access.answers)
      if (problem) command.output.note(textFor('cli.connections.checked', { name: authority, status: problem }))
    return decided.maySee ? 0 : 1
  })
}

function rulesText(rules: readonly SecurityRule[]): string {
  return table(
    ['rule', 'job', 'prefix', 'group', 'level', 'allow', 'deny'],
    rules.map(({ rule, job, surtPrefix, group, level, allow, deny }) => [
      ...[String(rule), job === null ? '' : String(job), surtPrefix, group, level],
      ...[allow.join(', '), deny.join(', ')],
    ]),
  )
}

function groupsText(groups: readonly GroupDecision[]): string {
  return table(
    ['group', 'level', 'rule', 'allow', 'deny', 'agrees'],
    groups.flatMap(({ group, levels }) =>
      levels.map(({ level, rule: { rule, allow, deny }, isAgreed }) => [
        ...[group, level, String(rule), allow.join(', '), deny.join(', ')],
        textFor(isAgreed ? 'cli.security.agrees' : 'cli.security.agreesNot'),
      ]),
    ),
  )
}

function optionAt([field]: readonly PropertyKey[]): string {
  return optionName(field === 'surtPrefix' ? 'prefix' : String(field))
}
