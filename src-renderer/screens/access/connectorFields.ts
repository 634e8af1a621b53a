/** The settings that each connector of Loupe has, in the order of the form. */
import type { AuthorityKind } from '../../../src-main/contract/services/authorities.ts'

const settingNames = [
  ...(['path', 'url', 'startTls', 'credential', 'userBase', 'userFilter', 'tokenAttribute', 'groupBase'] as const),
  ...(['groupFilter', 'groupAttribute', 'match', 'replacement'] as const),
] as const
export type SettingName = (typeof settingNames)[number]

const connectorNames = ['null', 'file', 'ldap', 'pattern'] as const
export type BuiltInConnector = (typeof connectorNames)[number]

interface ConnectorField {
  name: SettingName
  isRequired: boolean
}

const required = (name: SettingName): ConnectorField => ({ name, isRequired: true })
const optional = (name: SettingName): ConnectorField => ({ name, isRequired: false })

const fields: Record<BuiltInConnector, readonly ConnectorField[]> = {
  null: [],
  file: [required('path')],
  ldap: [
    ...[required('url'), optional('startTls'), optional('credential'), required('userBase'), optional('userFilter')],
    ...[optional('tokenAttribute'), optional('groupBase'), optional('groupFilter'), optional('groupAttribute')],
  ],
  pattern: [required('match'), required('replacement')],
}

/** The connector with which a form for another connection begins. */
export const usualConnector: Record<AuthorityKind, BuiltInConnector> = { authority: 'file', mapping: 'pattern' }

export function isBuiltIn(name: string): name is BuiltInConnector {
  return connectorNames.some((known) => known === name)
}

/** The fields of a connector; undefined for a module of the user, whose settings Loupe does not know. */
export function connectorFields(connector: string): readonly ConnectorField[] | undefined {
  return isBuiltIn(connector) ? fields[connector] : undefined
}
