/** Commands for pages of the viewer in Electron's menu. In a browser window the same is done by keys and buttons. */

export const pageCommands = [
  'newTab',
  'closeTab',
  'nextTab',
  'previousTab',
  'reload',
  'back',
  'forward',
  'find',
  'picture',
] as const
export type PageCommand = (typeof pageCommands)[number]

export function isPageCommand(name: string): name is PageCommand {
  return pageCommands.some((command) => command === name)
}
