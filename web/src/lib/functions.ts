import { toAppError } from './errors.ts'
import { supabase } from './supabase.ts'

/** Calls an Edge Function; throws an AppError with the function's own code and message. */
export async function callFunction(
  path: string,
  body: Record<string, unknown>,
  signal?: AbortSignal,
): Promise<unknown> {
  const { data, error } = await supabase().functions.invoke(path, {
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
