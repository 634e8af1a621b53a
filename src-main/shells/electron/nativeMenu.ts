/** Electron's menu, built from `menu.ts`. */
import { Menu, type MenuItemConstructorOptions } from 'electron'
import { menus, type MenuItem } from './menu.ts'

/** Handlers of the actions of menu items. */
export interface MenuActs {
  show(route: string): void
  call(name: string, input: unknown): void
  command(name: string): void
}

/** Builds Electron's menu for a platform. */
export function nativeMenu(platform: NodeJS.Platform, acts: MenuActs): Menu {
  return Menu.buildFromTemplate(
    menus(platform).map(({ label, items }) => ({ label, submenu: items.map((item) => nativeItem(item, acts)) })),
  )
}

function nativeItem({ label, accelerator, does }: MenuItem, acts: MenuActs): MenuItemConstructorOptions {
  const named = { ...(label ? { label } : {}), ...(accelerator ? { accelerator } : {}) }
  if (does.kind === 'separator') return { type: 'separator' }
  if (does.kind === 'role') return { ...named, role: does.role }
  if (does.kind === 'route') return { ...named, click: () => acts.show(does.route) }
  if (does.kind === 'command') return { ...named, click: () => acts.command(does.name) }
  return { ...named, click: () => acts.call(does.name, does.input) }
}
