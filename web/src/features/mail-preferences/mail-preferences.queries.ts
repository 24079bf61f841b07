import { queryOptions } from '@tanstack/react-query'
import { unwrap } from '#lib/errors.ts'
import { supabase } from '#lib/supabase.ts'

export const mailPreferenceKeys = { own: ['mail-preference'] } as const

/** Whether the signed-in person is mailed what they have not read. */
export const mailPreferenceQuery = queryOptions({
  queryKey: mailPreferenceKeys.own,
  queryFn: async ({ signal }) => unwrap(await supabase().rpc('get_mail_preference').abortSignal(signal)),
})
