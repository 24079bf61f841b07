// Calls the project's functions that check its secrets, before the server listens (supabase/start-checks.json).
import { z } from 'zod'
import { StartRefusal } from '../start-refusal.ts'

/** Thrown if a check of the project failed, for instance because of an invalid key. */
export class CheckFailed extends StartRefusal {}

const refusal = z
  .object({ message: z.string() })
  .or(z.object({ error: z.string() }).transform(({ error: message }) => ({ message })))

/** Sends each request with `callFunction`. Throws CheckFailed with the text of the first refusal. */
export async function runStartChecks(
  checks: readonly string[],
  callFunction: (path: string, init: RequestInit) => Promise<Response>,
): Promise<void> {
  for (const check of checks) {
    const [method = '', path = ''] = check.split(' ')
    const answer = await callFunction(path, { method })
    const text = await answer.text()
    if (answer.ok) continue
    const said = refusal.safeParse(toJson(text))
    throw new CheckFailed(
      `The server cannot start: ${said.success ? said.data.message : `${check} answered ${answer.status}: ${text}`}.`,
    )
  }
}

function toJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
