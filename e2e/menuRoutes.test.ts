import { expect, test } from 'vitest'
import { menus } from '../src-main/shells/electron/menu.ts'
import { isDialog, openInViewerCommand } from '../src-renderer/state/dialogs.ts'
import { isPageCommand, pageCommands } from '../src-renderer/screens/viewer/pageCommands.ts'
import { hrefOf, routeOf } from '../src-renderer/routes/routes.ts'

// The menu and the interface are built apart: only here they meet.
const routes = menus('darwin').flatMap(({ items }) =>
  items.flatMap(({ does }) => (does.kind === 'route' ? [does.route] : [])),
)

test.each([...new Set(routes)])('the menu shows %s, which is a place of the interface', (route) => {
  expect(hrefOf(routeOf(`#${route}`))).toBe(`#${route}`)
})

const commands = menus('darwin').flatMap(({ items }) =>
  items.flatMap(({ does }) => (does.kind === 'command' ? [does.name] : [])),
)

test.each(commands)(
  'the menu has %s, which the interface knows: a dialog, the viewer, or a command of the viewer',
  (name) => {
    expect(isDialog(name) || name === openInViewerCommand || isPageCommand(name)).toBe(true)
  },
)

test('the menu has every page command of the viewer', () => {
  expect(commands).toEqual(expect.arrayContaining([...pageCommands]))
})

test('the menu opens every tab of the archive that it names', () => {
  expect(routes).toEqual(
    expect.arrayContaining(['/archive/repair', '/archive/attic', '/archive/report', '/archive/audit']),
  )
})

test('the menu opens checks in their dialog, which shows the cost', () => {
  expect(commands).toEqual(expect.arrayContaining(['checkMissing', 'checkChecksums', 'spotCheck']))
})
