/** The file of `--login`: what stands under `login` in a harvest's definition, or one of its areas alone. */
import { readFile } from 'node:fs/promises'
import { Fault } from '../../contract/faults.ts'
import { loginShape, type Login } from '../../contract/login.ts'

export async function readLogin(path: string): Promise<Login> {
  const value = await read(path)
  const isArea = typeof value === 'object' && value !== null && 'kind' in value
  const result = loginShape.safeParse(isArea ? { areas: [value] } : value)
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw new Fault('badInput', `--login ${path}: ${issue?.path.join('.') || 'all of it'}: ${issue?.message}.`)
}

async function read(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as unknown
  } catch (cause) {
    const isAbsent = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT'
    throw new Fault('badInput', isAbsent ? `There is no file ${path}.` : `${path} cannot be read as JSON.`, { cause })
  }
}
