// The project's signing secret and the keys derived from it.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SignJWT } from 'jose'
import type { ProjectKeys } from './identity/caller.ts'
import { PROJECT } from './project.ts'

/** Returns the secret of a data folder, which is created on first use and readable only by its owner. */
export async function readOrCreateSecret(dataDir: string): Promise<string> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const file = join(dataDir, 'jwt-secret')
  const fresh = randomBytes(48).toString('base64url')
  // With `wx` only one of two first starts writes the file; the other reads it.
  await writeFile(file, fresh, { mode: 0o600, flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  return readSecret(dataDir)
}

/** Returns the secret of a data folder in which a server has already started. */
export async function readSecret(dataDir: string): Promise<string> {
  const file = join(dataDir, 'jwt-secret')
  if (!existsSync(file))
    throw new Error(`No server has started in ${dataDir}: give this command the server's variables.`)
  return (await readFile(file, 'utf8')).trim()
}

// Fixed timestamps make the keys a pure function of the secret, so that several servers share them.
const ISSUED = Date.UTC(2026, 0, 1) / 1000
const EXPIRES = Date.UTC(2046, 0, 1) / 1000

/** Derives the public key and the service key from the secret, each in both formats. */
export async function deriveKeys(secret: string): Promise<ProjectKeys> {
  const opaque = (name: string) => createHmac('sha256', secret).update(name).digest('base64url').slice(0, 32)
  const jwt = (role: string) =>
    new SignJWT({ iss: PROJECT.name, role })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setIssuedAt(ISSUED)
      .setExpirationTime(EXPIRES)
      .sign(new TextEncoder().encode(secret))
  return {
    anon: await jwt('anon'),
    service: await jwt('service_role'),
    publishable: `sb_publishable_${opaque('publishable')}`,
    secret: `sb_secret_${opaque('secret')}`,
  }
}

/** Compares two texts in a time that does not depend on how much of `given` is right. */
export function isSame(given: string, right: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(right)]
  return one.length === other.length && timingSafeEqual(one, other)
}
