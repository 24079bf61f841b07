import { toAppError } from './errors.ts'
import { supabase } from './supabase.ts'

/** Returns a PDF made by the Edge Function `documents`. Throws an AppError if the function refuses. */
export async function callDocuments(paper: string, body: Record<string, unknown>): Promise<Blob> {
  const { data, error } = await supabase().functions.invoke(`documents/${paper}`, { body })
  if (!error) return data
  const said = error.context instanceof Response ? await error.context.json().catch(() => null) : null
  throw toAppError(said ?? error)
}
