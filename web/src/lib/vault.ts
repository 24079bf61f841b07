import { toAppError } from './errors.ts'
import { supabase } from './supabase.ts'

/** The code for stored data that cannot be decrypted: it was changed without the key. */
export const DOES_NOT_OPEN = 'PT422'

/** Calls the Edge Function `vault`; throws an AppError with the function's own code and message. */
export async function callVault(
  service: string,
  body: Record<string, unknown>,
  signal?: AbortSignal,
): Promise<unknown> {
  const { data, error } = await supabase().functions.invoke(`vault/${service}`, {
    body,
    ...(signal && { signal }),
  })
  if (!error) return data
  // Any other error means that there was no response.
  if (error.name !== 'FunctionsHttpError') throw toAppError(error)
  const answer: Response = error.context
  const said: unknown = await answer.json().catch(() => null)
  throw toAppError({ message: answer.statusText, ...(said as object | null), status: answer.status })
}
