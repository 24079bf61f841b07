import { toAppError } from '#lib/errors.ts'

interface Answer {
  data: unknown
  error: Error | null
}

/** The data that the auth client answers with, or an AppError thrown. */
export async function answered<Given extends Answer>(
  asked: Promise<Given>,
): Promise<Extract<Given, { error: null }>['data']> {
  const { data, error } = await asked
  if (error) throw toAppError(error)
  return data
}
