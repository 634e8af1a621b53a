/** Electron's menu, built from `menu.ts`. */
import { Menu, type MenuItemConstructorOptions } from 'electron'
import { menus, type MenuItem } from './menu.ts'

/** What the menu items do. */
export interface MenuActions {
  show(route: string): void
  call(name: string, input: unknown): void
  command(name: string): void
}

/** Builds Electron's menu for a platform. */
export function nativeMenu(platform: NodeJS.Platform, actions: MenuActions): Menu {
  return Menu.buildFromTemplate(
    menus(platform).map(({ label, items }) => ({ label, submenu: items.map((item) => nativeItem(item, actions)) })),
  )
}

function nativeItem({ label, accelerator, does }: MenuItem, actions: MenuActions): MenuItemConstructorOptions {
  const named = { ...(label ? { label } : {}), ...(accelerator ? { accelerator } : {}) }
  if (does.kind === 'separator') return { type: 'separator' }
  if (does.kind === 'role') return { ...named, role: does.role }
  if (does.kind === 'route') return { ...named, click: () => actions.show(does.route) }
  if (does.kind === 'command') return { ...named, click: () => actions.command(does.name) }
  return { ...named, click: () => actions.call(does.name, does.input) }
}
