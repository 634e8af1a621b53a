/** The only thing of Electron that the interface sees: two functions of the contract's link, the archived page,
 *  where dropped files lie, where to save, and what was chosen in the menu. Built as
 *  CommonJS, because a sandboxed preload cannot be a module. */
import { contextBridge, ipcRenderer, webUtils, type IpcRendererEvent } from 'electron'
import type { LoupeWindow } from '../../../src-renderer/links/window.ts'
import type { Reply } from '../../contract/service.ts'
import { channels, type PageCommand } from './ipc.ts'

const listeners = new Map<string, Set<(payload: unknown) => void>>()
ipcRenderer.on(channels.event, (_event: IpcRendererEvent, name: string, payload: unknown) => {
  for (const listener of listeners.get(name) ?? []) listener(payload)
})

const command = (message: PageCommand) => ipcRenderer.send(channels.page, message)

const loupe: LoupeWindow = {
  call: (name, input) => ipcRenderer.invoke(channels.call, name, input) as Promise<Reply>,
  listen(name, onPayload) {
    const those = listeners.get(name) ?? new Set()
    listeners.set(name, those.add(onPayload))
    return () => void those.delete(onPayload)
  },
  page: {
    show: ({ x, y, width, height }) => command({ kind: 'show', bounds: { x, y, width, height } }),
    hide: () => command({ kind: 'hide' }),
    open: (url) => command({ kind: 'open', url }),
    reload: () => command({ kind: 'reload' }),
    onNavigated(listener) {
      const heard = (_event: IpcRendererEvent, url: string) => listener(url)
      ipcRenderer.on(channels.navigated, heard)
      return () => void ipcRenderer.off(channels.navigated, heard)
    },
  },
  pathOf: (file) => webUtils.getPathForFile(file),
  askWhere: (suggested) => ipcRenderer.invoke(channels.askWhere, suggested) as Promise<string | null>,
  onCommand(listener) {
    const heard = (_event: IpcRendererEvent, name: string) => listener(name)
    ipcRenderer.on(channels.command, heard)
    return () => void ipcRenderer.off(channels.command, heard)
  },
}

contextBridge.exposeInMainWorld('loupe', loupe)
