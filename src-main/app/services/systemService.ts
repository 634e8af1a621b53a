/** Services `system` and `settings` of the contract. */
import { hasRole } from '../../contract/calls/caller.ts'
import type { Loupe, LoupeImplementation } from '../../contract/contract.ts'
import type { Viewer } from '../../viewer/viewer.ts'
import type { EngineSetting } from '../given/engineSetting.ts'
import type { Settings } from '../settings/settings.ts'
import type { Signals } from '../signals/signals.ts'

/** Makes the service `system`. */
export function systemService({
  setting,
  viewer,
  signals,
}: {
  setting: EngineSetting
  viewer: Viewer
  signals: Signals
}): LoupeImplementation['system'] {
  return {
    about: async (_, caller) => ({
      account: caller.account,
      roles: [...caller.roles],
      version: setting.version,
      shell: setting.shell,
      archive: setting.archiveFolder,
      proxy: `${viewer.proxy.host}:${viewer.proxy.port}`,
      commandHost: viewer.commandHost,
      commandUser: viewer.commandUser,
      // With it, a client changes what the viewing of the interface shows.
      commandToken: hasRole(caller, 'administrator') ? viewer.commandToken : '',
      certificate: viewer.certificate,
      runtime: `Node ${process.versions.node}`,
    }),
    problem: (onPayload) => signals.onProblem(onPayload),
  }
}

/** Makes the service `settings`. `onSet` is called after each change, while the shell that made it is known. */
export function settingsService(settings: Settings, onSet: () => void): Loupe['settings'] {
  return {
    list: async () => settings.list(),
    async set({ path, value, level }) {
      const changed = await settings.set(path, value, level)
      onSet()
      return changed
    },
  }
}
