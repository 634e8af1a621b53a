/** Key stores that are used through a program of the system: secret-tool (Secret Service: GNOME Keyring, KWallet, KeePassXC),
 *  `security` of macOS, and PowerShell for the Data Protection of Windows. Secrets are passed on standard input, since other
 *  accounts can read the arguments of a command. */
import { message, type Message } from '../../../../contract/words/message.ts'
import { ProgramFault, type ProgramEnd, type Programs } from '../../../../world/world.ts'
import { KeyStoreFault, type KeyStore } from './keyStore.ts'

/** Time limit of a command: the user may have to type the password of the keyring meanwhile. */
const answerMsMax = 60_000
/** Time limit of the check for availability: a keyring that waits for an absent user must not block a server. */
const lookMsMax = 5_000

interface Asked {
  name: string
  words: string[]
  input?: string
  runMsMax?: number
}

async function ask(
  programs: Programs,
  { name, words, input = '', runMsMax = answerMsMax }: Asked,
): Promise<ProgramEnd> {
  try {
    return await programs.run({ name, words, input, runMsMax })
  } catch (error) {
    if (!(error instanceof ProgramFault)) throw error
    throw new KeyStoreFault(message('keyStore.noAnswer', { problem: programMessage(error) }), { cause: error })
  }
}

function programMessage({ code, program, detail }: ProgramFault): Message {
  if (code === 'failed' || code === 'killed') return message(`program.${code}`, { program, detail })
  return message(`program.${code}`, { program })
}

/** The fault for a failed command. The error output of the program holds no secret, since secrets are passed on its input. */
function refused(name: string, { exitCode, errors }: ProgramEnd): KeyStoreFault {
  const problem = errors.trim().slice(0, 300)
  return new KeyStoreFault(message('keyStore.refused', { program: name, code: String(exitCode), problem }))
}

/** The Secret Service of Linux desktops, through `secret-tool`. */
export function secretTool(programs: Programs): KeyStore {
  const name = 'secret-tool'
  const place = (entry: string) => ['application', 'loupe', 'entry', entry]
  /** Whether the entry is missing: exit code 1 without error output. If the service does not answer, there is error output. */
  const isNothing = (end: ProgramEnd) => end.exitCode === 1 && end.errors.trim() === ''
  return {
    kind: 'secretTool',
    async answers() {
      if (programs.system !== 'linux') return false
      try {
        const end = await ask(programs, { name, words: ['lookup', ...place('none')], runMsMax: lookMsMax })
        return end.exitCode === 0 || isNothing(end)
      } catch (error) {
        if (error instanceof KeyStoreFault) return false
        throw error
      }
    },
    async put(entry, secret) {
      const end = await ask(programs, { name, words: ['store', '--label=Loupe', ...place(entry)], input: secret })
      if (end.exitCode !== 0) throw refused(name, end)
    },
    async get(entry) {
      const end = await ask(programs, { name, words: ['lookup', ...place(entry)] })
      if (end.exitCode === 0) return end.output.replace(/\n$/, '')
      if (isNothing(end)) return undefined
      throw refused(name, end)
    },
    async remove(entry) {
      const end = await ask(programs, { name, words: ['clear', ...place(entry)] })
      if (end.exitCode !== 0 && !isNothing(end)) throw refused(name, end)
    },
  }
}

/** Exit code of `security` for errSecItemNotFound. */
const itemNotFound = 44

/** The keychain of macOS, through `security`. */
export function keychain(programs: Programs): KeyStore {
  const name = 'security'
  const place = (entry: string) => ['-s', 'Loupe', '-a', entry]
  const get: KeyStore['get'] = async (entry) => {
    const end = await ask(programs, { name, words: ['find-generic-password', ...place(entry), '-w'] })
    if (end.exitCode === itemNotFound) return undefined
    if (end.exitCode !== 0) throw refused(name, end)
    return end.output.replace(/\n$/, '')
  }
  return {
    kind: 'keychain',
    async answers() {
      if (programs.system !== 'darwin') return false
      try {
        const end = await ask(programs, { name, words: ['default-keychain'], runMsMax: lookMsMax })
        return end.exitCode === 0
      } catch (error) {
        if (error instanceof KeyStoreFault) return false
        throw error
      }
    },
    async put(entry, secret) {
      // Only the interactive mode of `security` reads a secret from its input. It exits with 0 even if a command fails, so the
      // entry is read back.
      const line = ['add-generic-password', '-U', ...place(entry), '-w', secret].map((word) => `"${word}"`).join(' ')
      const end = await ask(programs, { name, words: ['-i'], input: `${line}\n` })
      if ((await get(entry)) !== secret) throw refused(name, end)
    },
    get,
    async remove(entry) {
      const end = await ask(programs, { name, words: ['delete-generic-password', ...place(entry)] })
      if (end.exitCode !== 0 && end.exitCode !== itemNotFound) throw refused(name, end)
    },
  }
}

/** Encrypts and decrypts secrets by the Data Protection of Windows; only this account can decrypt the result. */
export function dataProtection(programs: Programs): { seal: Turn; open: Turn; answers(): Promise<boolean> } {
  const run = async (script: string, input: string, runMsMax = answerMsMax) => {
    const name = 'powershell.exe'
    const words = ['-NoProfile', '-NonInteractive', '-Command', script]
    const end = await ask(programs, { name, words, input, runMsMax })
    if (end.exitCode !== 0) throw refused(name, end)
    return end.output.trim()
  }
  return {
    seal: (secret) => run(sealing, secret),
    open: (sealed) => run(opening, sealed),
    async answers() {
      if (programs.system !== 'win32') return false
      try {
        return (await run(opening, await run(sealing, 'probe', lookMsMax), lookMsMax)) === 'probe'
      } catch (error) {
        if (error instanceof KeyStoreFault) return false
        throw error
      }
    },
  }
}

type Turn = (text: string) => Promise<string>

const sealing =
  '[Console]::In.ReadToEnd().Trim() | ConvertTo-SecureString -AsPlainText -Force | ConvertFrom-SecureString'
const opening =
  '$secret = [Console]::In.ReadToEnd().Trim() | ConvertTo-SecureString; [Net.NetworkCredential]::new("", $secret).Password'
