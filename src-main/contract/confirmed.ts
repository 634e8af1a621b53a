/** Calls before which an account gives its password again (`accounts.confirm`), because they put other bytes in the place of a copy. */
import type { contract } from './contract.ts'

type Calls = { [Service in keyof typeof contract]?: readonly (keyof (typeof contract)[Service])[] }

export const confirmedCalls = { archive: ['repair', 'restoreFromAttic'] } as const satisfies Calls
