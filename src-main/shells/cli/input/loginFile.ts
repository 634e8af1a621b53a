/** The file of `--login`: the value of `login` in a harvest's definition, or a single area of it. */
import { loginShape, type Login } from '../../../contract/services/login.ts'
import { readShape } from './jsonFile.ts'

export async function readLogin(path: string): Promise<Login> {
  return readShape('login', path, {
    shape: loginShape,
    wrap: (value) => (typeof value === 'object' && value !== null && 'kind' in value ? { areas: [value] } : value),
  })
}
