// Serves only the Data API on a database, so that nothing else changes the database between two requests.
import { pino } from 'pino'
import type { Database } from '#db/database.ts'
import { Turns, turnLimits } from '#db/turns.ts'
import { createIdentify } from '#identity/caller.ts'
import { createTokens } from '#identity/tokens.ts'
import { restRoutes } from '#rest/routes.ts'
import { deriveKeys } from '#secrets.ts'

const SECRET = 'a secret of the data api alone, long enough'

/** Opens the API. Returns a function that requests a URL below /rest/v1 with a person's claims. */
export async function openApi(db: Database) {
  const tokens = createTokens(SECRET)
  const keys = await deriveKeys(SECRET)
  const identify = createIdentify(tokens, keys)
  const log = pino({ level: 'silent' })
  const routes = restRoutes({ db, identify, turns: new Turns(turnLimits(1)), trustProxy: false, log })
  return async (address: string, claims: Record<string, unknown>, headers: Record<string, string>) =>
    routes.request(address, {
      headers: { ...headers, apikey: keys.anon, authorization: `Bearer ${await tokens.sign(claims, 600)}` },
    })
}
