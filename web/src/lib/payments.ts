import { AppError, toAppError } from './errors.ts'
import { supabase } from './supabase.ts'

/** Calls the Edge Function `payments` and returns its response. Throws an AppError if the function refuses. */
export async function callPayments<Answer>(
  path: string,
  body: Record<string, unknown> = {},
): Promise<Answer> {
  const { data, error } = await supabase().functions.invoke(`payments/${path}`, { body })
  if (!error) return data
  const context: unknown = error.context
  const said = context instanceof Response ? await context.json().catch(() => null) : null
  throw said
    ? new AppError(said.code ?? 'unknown', said.message ?? said.error ?? error.message)
    : toAppError(error)
}
