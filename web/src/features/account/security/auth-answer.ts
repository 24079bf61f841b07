import { toAppError } from '#lib/errors.ts'

interface Answer {
  data: unknown
  error: Error | null
}

/** Returns the data of the auth client's response, or throws its error as an AppError. */
export async function answered<Given extends Answer>(
  asked: Promise<Given>,
): Promise<Extract<Given, { error: null }>['data']> {
  const { data, error } = await asked
  if (error) throw toAppError(error)
  return data
}
