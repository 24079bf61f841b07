// Function secrets that the server generates if no other server needs to know them. They are stored in the data folder.
import { randomBytes } from 'node:crypto'
import { mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { type Config, readJson } from '#config.ts'

type Secrets = Readonly<Record<string, string>>

/** The file with the secrets. It is replaced atomically, and running functions then get the new secrets. */
export const generatedSecretsFile = (dataDir: string): string => join(dataDir, 'function-secrets.json')

/** Replaces the file; only its owner can read it. */
export function writeGeneratedSecrets(dataDir: string, secrets: Secrets): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const fresh = `${generatedSecretsFile(dataDir)}.${randomBytes(6).toString('hex')}`
  writeFileSync(fresh, JSON.stringify(secrets, null, 2), { mode: 0o600, flag: 'wx' })
  renameSync(fresh, generatedSecretsFile(dataDir))
}

export const readGeneratedSecrets = (dataDir: string): Secrets =>
  readJson(generatedSecretsFile(dataDir), z.record(z.string(), z.string()), {})

/** Returns 32 random bytes in base64url. */
export const freshSecret = (): string => randomBytes(32).toString('base64url')

/**
 * Generates missing secrets. Returns a function that reads those named in `generated`, because a variable that is set
 * overrides the file; it returns the same object until they change.
 */
export function generateSecrets({
  dataDir,
  generated,
}: Pick<Config, 'dataDir' | 'generated'>): () => Secrets {
  if (generated.length === 0) return () => NONE
  const known = readGeneratedSecrets(dataDir)
  const missing = generated.filter((name) => known[name] === undefined)
  if (missing.length > 0) {
    const made = Object.fromEntries(missing.map((name) => [name, freshSecret()]))
    writeGeneratedSecrets(dataDir, { ...known, ...made })
  }
  let read: Secrets = NONE
  let version = ''
  let isKnown = false
  const file = generatedSecretsFile(dataDir)
  return () => {
    if (isKnown) return read
    // Reading the file's state takes as long as a small function, so all requests in one turn of the event loop share
    // the result.
    isKnown = true
    setImmediate(() => {
      isKnown = false
    })
    const { ino, mtimeMs } = statSync(file)
    if (version !== `${ino} ${mtimeMs}`) {
      const stored = Object.entries(readGeneratedSecrets(dataDir))
      read = Object.fromEntries(stored.filter(([name]) => generated.includes(name)))
      version = `${ino} ${mtimeMs}`
    }
    return read
  }
}

const NONE: Secrets = {}
