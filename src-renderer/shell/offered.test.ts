/** Everything that a role can refuse names the call that it needs: commands, screens, and the controls of the screens. */
import { globSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { describe, expect, test } from 'vitest'
import { hasRole, type Role } from '../../src-main/contract/calls/caller.ts'
import { contract } from '../../src-main/contract/contract.ts'
import { archiveTabs, routeOf } from '../routes/routes.ts'
import { lackedRole, roleFor, type CallName } from '../state/callerRoles.ts'
import { archiveTabCalls, dialogCalls, placeCalls, routeCall } from '../state/commandCalls.ts'
import { callOfChoice, ownChoices } from '../state/quickOpen.ts'
import { translate } from '../words/language.ts'

const top = join(import.meta.dirname, '..')

/** Folders whose screens an account can open only with the call: what they show needs no role beyond that of the call. */
const opened: Record<string, CallName> = {
  'screens/access': placeCalls.access,
  'screens/audit': archiveTabCalls.audit,
  'screens/backups': archiveTabCalls.backups,
  'screens/batch': archiveTabCalls.batch,
  'screens/export': dialogCalls.export,
  'screens/harvest': dialogCalls.harvest,
  'screens/import': dialogCalls.import,
  'screens/plans': placeCalls.plans,
  'screens/repair': archiveTabCalls.repair,
  'screens/settings': placeCalls.settings,
  'screens/system': placeCalls.system,
}

const calls = Object.entries(contract).flatMap(([service, members]) =>
  Object.entries(members).flatMap(([name, { kind }]) => (kind === 'call' ? [`${service}.${name}` as CallName] : [])),
)
const sources = globSync('{screens,shell}/**/*.{ts,tsx}', { cwd: top })
  .filter((path) => !path.endsWith('.test.ts'))
  .map((path) => ({ path: path.split(sep).join('/'), code: readFileSync(join(top, path), 'utf8') }))
const named = new Set(
  [...sources, { code: readFileSync(join(top, 'state/commandCalls.ts'), 'utf8') }].flatMap(({ code }) =>
    [...code.matchAll(/["'`](\w+\.(?:\w+|\$\{\w+\}))["'`]/g)].flatMap(([, name = '']) =>
      // A name with a value in it stands for every call of the service.
      name.includes('$') ? calls.filter((call) => call.startsWith(name.slice(0, name.indexOf('$')))) : [name],
    ),
  ),
)

/** Calls that a viewer may not make and that a screen makes, without a control that names them. */
function unnamed(): string[] {
  return sources.flatMap(({ path, code }) => {
    const folder = path.slice(0, path.lastIndexOf('/'))
    const gate = opened[folder]
    const held: Role[] = gate === undefined ? ['viewer'] : [roleFor(gate)]
    return calls
      .filter((call) => code.includes(`${call}(`) && !hasRole({ roles: held }, roleFor(call)) && !named.has(call))
      .map((call) => `${path}: ${call}`)
  })
}

test('a screen names the call of each control that a role can refuse', () => {
  expect(calls.length).toBeGreaterThan(200)
  expect(named.has('jobs.pause')).toBe(true)
  expect(unnamed()).toEqual([])
})

describe.each<[Role, string[]]>([
  ['viewer', ['quickOpen', 'shortcuts', 'tasks']],
  ['curator', ['harvest', 'import', 'quickOpen', 'shortcuts', 'tasks']],
  ['preservationOfficer', ['checkChecksums', 'checkMissing', 'harvest', 'import', 'quickOpen', 'shortcuts', 'spotCheck', 'tasks']], // prettier-ignore
])('a %s', (role, dialogs) => {
  const may = (call: CallName | undefined) => call === undefined || lackedRole([role], call) === null

  test('is offered the dialogs of the role', () => {
    const offered = Object.entries(dialogCalls).flatMap(([dialog, call]) => (may(call) ? [dialog] : []))
    expect(offered.toSorted()).toEqual(dialogs)
  })

  test('is offered neither access nor settings', () => {
    expect([may(placeCalls.access), may(placeCalls.settings)]).toEqual([false, false])
    const choices = ownChoices(translate, []).filter((choice) => may(callOfChoice(choice)))
    expect(choices.filter(({ key }) => key.startsWith('screen access') || key === 'screen settings')).toEqual([])
    expect(choices.length).toBeGreaterThan(10)
  })
})

test('a tab of the archive needs its own call', () => {
  for (const tab of archiveTabs) expect(routeCall(routeOf(`#/archive/${tab}`))).toBe(archiveTabCalls[tab])
})
