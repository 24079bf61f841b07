// Starts nginx with TLS in front of a server, with the configuration that operators get.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '@potluck/server/test/free-port.ts'

/** Starts this nginx with a self-signed certificate; throws nginx's message if nginx exits immediately. */
export async function startNginx(program: string, serverPort: number) {
  const folder = await mkdtemp(join(tmpdir(), 'potluck-nginx-'))
  const [port, plain] = [await freePort(), await freePort()]
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const asked = ['-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=example.org', '-days', '1']
  execFileSync('openssl', ['req', '-x509', ...asked, '-keyout', key, '-out', certificate], {
    stdio: 'ignore',
  })

  let site = await readFile(join(import.meta.dirname, '../deploy/nginx.conf'), 'utf8')
  for (const [ofOperators, ofTest] of [
    [/^ *listen \[::\].*\n/gm, ''],
    [/listen 80\b/, `listen 127.0.0.1:${plain}`],
    [/listen 443\b/, `listen 127.0.0.1:${port}`],
    [/127\.0\.0\.1:300\d/g, `127.0.0.1:${serverPort}`],
    [/ssl_certificate \S+;/, `ssl_certificate ${certificate};`],
    [/ssl_certificate_key \S+;/, `ssl_certificate_key ${key};`],
  ] as const)
    site = site.replace(ofOperators, ofTest)
  const config = join(folder, 'nginx.conf')
  const own = `pid ${folder}/pid; error_log stderr; daemon off; events {}`
  await writeFile(config, `${own}\nhttp { access_log off; types_hash_max_size 2048;\n${site}}\n`)

  const nginx = spawn(program, ['-p', folder, '-c', config], { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  nginx.stderr.on('data', (chunk) => {
    said += chunk
  })
  while (!(await answers(port))) {
    if (nginx.exitCode !== null) throw new Error(`nginx ended with ${nginx.exitCode}: ${said}`)
    await pause(50)
  }
  return {
    url: `https://example.org:${port}`,
    stop: async () => {
      const ended = once(nginx, 'exit')
      nginx.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true })
    },
  }
}

const answers = (port: number) =>
  new Promise<boolean>((done) => {
    const socket = connect(port, '127.0.0.1', () => done(true)).once('error', () => done(false))
    socket.once('connect', () => socket.destroy())
  })
