/** Service `templates` of the contract: crawl settings under a name. */
import type { Loupe } from '../../contract/contract.ts'
import { emitter } from '../../contract/calls/emitter.ts'
import { templateSettings, type TemplateChange } from '../../contract/services/templates.ts'
import type { Templates } from '../../harvest/templates/templates.ts'
import { readToml } from '../../harvest/templates/templateToml.ts'

/** Makes the service. */
export function templatesService(templates: Templates): Loupe['templates'] {
  const changes = emitter<{ name: string }>()
  const changed = <Result extends { name: string }>(result: Result): Result => {
    changes.emit({ name: result.name })
    return result
  }
  return {
    list: async ({ offset = 0, limit = 200, text }) => templates.list({ offset, limit, text }),
    show: async ({ name, version }) => templates.show(name, version),
    async check({ toml }) {
      const read = readToml(toml)
      return { problems: 'problems' in read ? read.problems : [] }
    },
    add: async (template) => changed(templates.add(withDefaults(template))),
    edit: async (change) => changed(templates.edit(withDefaults(change))),
    async remove({ name }) {
      templates.remove(name)
      return changed({ name })
    },
    changed: changes.on,
  }
}

/** The settings of a call, which a transport has checked, with their defaults. */
function withDefaults({ settings, ...given }: Parameters<Loupe['templates']['edit']>[0]): TemplateChange {
  return settings === undefined ? given : { ...given, settings: templateSettings.parse(settings) }
}
