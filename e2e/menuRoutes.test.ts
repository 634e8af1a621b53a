import { expect, test } from 'vitest'
import { menus } from '../src-main/shells/electron/menu.ts'
import { hrefOf, routeOf } from '../src-renderer/screens/routes.ts'

// The menu and the interface are built apart: only here they meet.
const routes = menus('darwin').flatMap(({ items }) =>
  items.flatMap(({ does }) => (does.kind === 'route' ? [does.route] : [])),
)

test.each([...new Set(routes)])('the menu shows %s, which is a place of the interface', (route) => {
  expect(hrefOf(routeOf(`#${route}`))).toBe(`#${route}`)
})
