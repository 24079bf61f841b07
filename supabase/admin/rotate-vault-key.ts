// Replaces the site's vault key while the server runs. Stored secrets do not change; only the data keys are sealed
// again.
import { setTimeout as pause } from 'node:timers/promises'
import type { Config } from '@potluck/server/config.ts'
import {
  freshSecret,
  readGeneratedSecrets,
  writeGeneratedSecrets,
} from '@potluck/server/functions/generated-secrets.ts'
import { deriveKeys, readSecret } from '@potluck/server/secrets.ts'

const NAME = 'VAULT_KEY'
/** The time in ms after which the function has finished all requests that it began with only the old keys. */
const GRACE_MS = 1_000

/** Rotates the key, and returns the message for the operator. */
export async function rotateVaultKey(config: Config): Promise<string> {
  if (!config.generated.includes(NAME)) {
    const count = await rotate(config)
    return `${count} data keys are sealed anew. All are with the first key of ${NAME}: the others can go.`
  }
  const secrets = readGeneratedSecrets(config.dataDir)
  const before = secrets[NAME]
  if (before === undefined)
    throw new Error(`There is no vault in ${config.dataDir} yet: start the server once.`)
  const fresh = freshSecret()
  // Until the rotation is done, the function has both keys, so that it can open all secrets even if this command is
  // interrupted.
  writeGeneratedSecrets(config.dataDir, { ...secrets, [NAME]: `${fresh},${before}` })
  await ask(config, 'OPTIONS')
  await pause(GRACE_MS)
  const count = await rotate(config)
  writeGeneratedSecrets(config.dataDir, { ...secrets, [NAME]: fresh })
  return `The vault has a new key, and ${count} data keys are sealed with it.`
}

async function rotate(config: Config): Promise<number> {
  const answer = await ask(config, 'POST')
  const body = (await answer.json()) as { rewrapped?: number; message?: string }
  if (body.rewrapped === undefined) throw new Error(body.message ?? `The vault answered ${answer.status}`)
  return body.rewrapped
}

async function ask(config: Config, method: string): Promise<Response> {
  const { service } = await deriveKeys(config.jwtSecret ?? (await readSecret(config.dataDir)))
  try {
    return await fetch(`${config.ownUrl}/functions/v1/vault/rotate`, {
      method,
      headers: { Authorization: `Bearer ${service}` },
    })
  } catch {
    throw new Error(
      `Nothing answers at ${config.ownUrl}. Start the server first: it rotates the key while it runs.`,
    )
  }
}
