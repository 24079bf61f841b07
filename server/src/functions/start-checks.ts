// Before the server listens, calls the project's functions that check its secrets or have a notice for the operator
// (supabase/start-checks.json).
import { z } from 'zod'
import { StartRefusal } from '../start-refusal.ts'

/** Thrown if a check of the project failed, for instance because of an invalid key. */
export class CheckFailed extends StartRefusal {}

const refusal = z
  .object({ message: z.string() })
  .or(z.object({ error: z.string() }).transform(({ error: message }) => ({ message })))

const notice = z.object({ notice: z.string() })

/**
 * Sends each request with `callFunction`. Returns the notices for the operator that the responses contain. Throws
 * CheckFailed with the message of the first check that fails.
 */
export async function runStartChecks(
  checks: readonly string[],
  callFunction: (path: string, init: RequestInit) => Promise<Response>,
): Promise<string[]> {
  const notices: string[] = []
  for (const check of checks) {
    const [method = '', path = ''] = check.split(' ')
    const answer = await callFunction(path, { method })
    const text = await answer.text()
    if (answer.ok) {
      const told = notice.safeParse(toJson(text))
      if (told.success) notices.push(told.data.notice)
      continue
    }
    const said = refusal.safeParse(toJson(text))
    throw new CheckFailed(
      `The server cannot start: ${said.success ? said.data.message : `${check} answered ${answer.status}: ${text}`}.`,
    )
  }
  return notices
}

function toJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
