import { config } from '#lib/config.ts'
import { AppError, SIGNED_OUT } from '#lib/errors.ts'
import { supabase } from '#lib/supabase.ts'

/** Calls what this version of the client has no method for. Throws an AppError with the service's code and sentence. */
export async function askAuth<Answer>(method: string, path: string, body?: object): Promise<Answer> {
  const { supabaseUrl, supabaseAnonKey: apikey } = config()
  const { data } = await supabase().auth.getSession()
  if (!data.session) throw new AppError(SIGNED_OUT, 'Authentication required. Please sign in again.')
  const answer = await fetch(`${supabaseUrl}/auth/v1/factors/recovery-codes${path}`, {
    method,
    headers: {
      apikey,
      Authorization: `Bearer ${data.session.access_token}`,
      'Content-Type': 'application/json',
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const said = await answer.json()
  if (!answer.ok) throw new AppError(said.error_code, said.msg, { status: answer.status })
  return said
}
