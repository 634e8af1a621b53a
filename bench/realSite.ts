/** Serves real documentation from Debian's packages as a local site. The packages are downloaded and unpacked into `.cache/benchmark`
 *  without administrator rights; nothing is installed. The server is nginx, which lists the files of folders without an index page. */
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { access, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { createConnection, createServer } from 'node:net'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

const execute = promisify(execFile)
/** Folder of everything that the benches download or make once. */
export const cache = join(import.meta.dirname, '../.cache/benchmark')

/** The Debian package of a site. */
export interface SiteSource {
  package: string
  /** The folder in the package that is the root of the site. */
  top: string
  /** Path of the one page at which a harvest begins. */
  entry: string
}

/** The sites that can be served, by name. */
export const siteSources: Readonly<Record<string, SiteSource>> = {
  qt: { package: 'qtbase5-doc-html', top: 'usr/share/qt5/doc', entry: '/' },
  django: { package: 'python-django-doc', top: 'usr/share/doc/python-django-doc/html', entry: '/index.html' },
  rust: { package: 'rust-doc', top: 'usr/share/doc/rust-doc/html', entry: '/index.html' },
}

/** A site that is being served. */
export interface RealSite {
  origin: string
  /** URL of its entry page. */
  seed: string
  /** Name of the server program, for the report. */
  server: string
  stop(): Promise<void>
}

/** Reports what the machine lacks and the command that installs it. */
export class Missing extends Error {}

/** Downloads the package when it is not cached and serves its site. Rejects with `Missing` when the package or nginx is not available. */
export async function startRealSite({ package: name, top, entry }: SiteSource): Promise<RealSite> {
  const nginx = await program('nginx', 'nginx')
  if (nginx === undefined) throw new Missing('There is no nginx to serve the site: sudo apt-get install nginx')
  const { origin, server, stop } = await startNginx(nginx, join(await unpacked(name), top))
  return { origin, server, stop, seed: `${origin}${entry}` }
}

/** The folder with the files of a site, from its package. Rejects with `Missing` when the package is not available. */
export async function siteFolder({ package: name, top }: SiteSource): Promise<string> {
  return join(await unpacked(name), top)
}

/** Path of a program of the system, or from its Debian package when it runs without installation; undefined when neither is possible. */
export async function program(name: string, fromPackage: string): Promise<string | undefined> {
  const installed = await programOfSystem(name)
  if (installed !== undefined) return installed
  try {
    const folder = await unpacked(fromPackage)
    for (const place of ['usr/sbin', 'usr/bin']) {
      const path = join(folder, place, name)
      if (!(await exists(path))) continue
      await execute(path, ['-V'])
      return path
    }
  } catch (error) {
    // Missing libraries and a missing package have the same result.
    if (!(error instanceof Error)) throw error
  }
  return undefined
}

/** Path of an installed program; undefined when it is not installed. */
export async function programOfSystem(name: string): Promise<string | undefined> {
  // /usr/sbin is not in the path of ordinary users.
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin']
  for (const folder of folders) if (await exists(join(folder, name))) return join(folder, name)
  return undefined
}

/** The folder with the files of a package, which is downloaded once. */
async function unpacked(name: string): Promise<string> {
  const folder = join(cache, 'packages', name)
  if (await exists(folder)) return folder
  await mkdir(join(cache, 'packages'), { recursive: true })
  const download = await mkdtemp(join(cache, 'download-'))
  try {
    await execute('apt-get', ['download', '-qq', name], { cwd: download })
    const [file] = (await readdir(download)).filter((entry) => entry.endsWith('.deb'))
    if (file === undefined) throw new Error(`apt-get downloaded nothing for ${name}`)
    const part = join(download, 'files')
    await execute('dpkg', ['-x', join(download, file), part])
    // An interrupted run must not leave a folder that looks complete.
    await rename(part, folder)
  } catch (cause) {
    throw new Missing(
      `The Debian package ${name} is not to be had here. On Debian or Ubuntu type: sudo apt-get update, and try again.`,
      { cause },
    )
  } finally {
    await rm(download, { recursive: true, force: true })
  }
  return folder
}

/** A running server. */
interface Server extends Pick<RealSite, 'origin' | 'server' | 'stop'> {
  pid: number | undefined
}

/** Serves the files of the folder `top`. */
export async function startNginx(nginx: string, top: string): Promise<Server> {
  const { stderr } = await execute(nginx, ['-v'])
  await mkdir(cache, { recursive: true })
  const folder = await mkdtemp(join(cache, 'nginx-'))
  const port = await freePort()
  const file = join(folder, 'nginx.conf')
  await writeFile(file, nginxConfiguration({ folder, port, top }))
  const child = spawn(nginx, ['-e', join(folder, 'error.log'), '-c', file, '-g', 'daemon off;'], { stdio: 'ignore' })
  await answers(port, child)
  return {
    origin: `http://127.0.0.1:${port}`,
    server: stderr.trim().replace('nginx version: ', ''),
    pid: child.pid,
    stop: async () => {
      await ended(child)
      await rm(folder, { recursive: true })
    },
  }
}

/** One worker and no log, so that the server is not the bottleneck. */
function nginxConfiguration({ folder, port, top }: { folder: string; port: number; top: string }): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder};`)
  return `
${process.getuid?.() === 0 ? 'user root;' : ''}
worker_processes 1; pid ${folder}/nginx.pid;
events { worker_connections 1024; }
http {
  types {
    text/html html; text/css css; text/javascript js; image/png png; image/gif gif; image/jpeg jpg; image/svg+xml svg;
    font/woff woff; font/woff2 woff2;
  }
  default_type application/octet-stream; charset utf-8;
  access_log off; log_not_found off; sendfile on; tcp_nopush on; tcp_nodelay on; keepalive_requests 1000000;
  ${temporary.join(' ')}
  server { listen 127.0.0.1:${port}; root ${top}; index index.html; autoindex on; }
}
`
}

/** Returns a port of 127.0.0.1 that was free a moment ago. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  await new Promise((resolve) => probe.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('the system gave no port')
  return address.port
}

/** Time within which a server must accept connections. */
const answerMsMax = 5_000

/** Waits until the server accepts connections. Ends the process and rejects when it does not within `answerMsMax`. */
export async function answers(port: number, child: ChildProcess): Promise<void> {
  for (const untilMs = performance.now() + answerMsMax; performance.now() < untilMs; await sleep(20)) {
    if (child.exitCode !== null) break
    const socket = createConnection({ host: '127.0.0.1', port })
    const connected = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (connected) return
  }
  child.kill()
  throw new Error(`the server on port ${port} did not start`)
}

/** Ends a process with SIGTERM and waits for its end. */
export async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  await exit
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
